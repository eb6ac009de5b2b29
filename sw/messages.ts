import { findToWorker, type ToWorker, type WorkerState } from '#contract/worker-messages.ts';
import { broadcastConnection, findConnection } from './connection.ts';
import type { Tab, WorkerContext } from './worker-context.ts';

/** Handles a tab's message and answers it. Ignores messages outside the protocol. */
export async function handleMessage(context: WorkerContext, data: unknown, from: Tab | null): Promise<void> {
  const question = findToWorker(data);
  if (question === null) return;
  const answer = await act(context, question, from);
  from?.postMessage(answer);
}

async function act(context: WorkerContext, question: ToWorker, from: Tab | null): Promise<WorkerState> {
  switch (question.type) {
    case 'SKIP_WAITING':
      // Not awaited: the active worker may have requests to finish first.
      if (question.target === context.config.build) void context.takeOver();
      break;
    case 'CONN_REPORT':
      await broadcastConnection(context, question.state, 'page', {
        at: question.at,
        except: from?.id ?? null,
      });
      break;
    case 'GET_STATE':
      break;
  }
  return {
    v: 1,
    re: question.id,
    type: 'STATE',
    build: context.config.build,
    conn: await findConnection(context),
  };
}
