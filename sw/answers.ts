import { findToWorker, type ToWorker, type WorkerState } from '#contract/worker-messages.ts';
import { findConnection, tellConnection } from './connection.ts';
import type { Surroundings, Tab } from './surroundings.ts';

/** Does what a tab asks and answers it; what is not of this protocol is ignored. */
export async function answerMessage(env: Surroundings, data: unknown, from: Tab | null): Promise<void> {
  const question = findToWorker(data);
  if (question === null) return;
  const answer = await act(env, question, from);
  from?.postMessage(answer);
}

async function act(env: Surroundings, question: ToWorker, from: Tab | null): Promise<WorkerState> {
  switch (question.type) {
    case 'SKIP_WAITING':
      // Not waited for: the worker at work may have something to finish first.
      if (question.target === env.config.build) void env.takeOver();
      break;
    case 'CONN_REPORT':
      await tellConnection(env, question.state, 'page', { at: question.at, except: from?.id ?? null });
      break;
    case 'GET_STATE':
      break;
  }
  return {
    v: 1,
    re: question.id,
    type: 'STATE',
    build: env.config.build,
    conn: await findConnection(env),
  };
}
