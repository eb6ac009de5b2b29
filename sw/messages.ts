import { findToWorker, type ToWorker, type WorkerState } from '#contract/worker-messages.ts';
import { broadcastConnection, findConnection } from './connection.ts';
import { install } from './precache.ts';
import type { Tab, WorkerContext } from './worker-context.ts';

/** Handles a tab's message. Returns the answer; null for messages outside the protocol. */
export async function handleMessage(
  context: WorkerContext,
  data: unknown,
  from: Tab | null,
): Promise<WorkerState | null> {
  const message = findToWorker(data);
  if (message === null) return null;
  await act(context, message, from);
  return { v: 1, type: 'STATE', build: context.config.build, conn: await findConnection(context) };
}

async function act(context: WorkerContext, message: ToWorker, from: Tab | null): Promise<void> {
  switch (message.type) {
    case 'SKIP_WAITING':
      // Not awaited: the active worker may have requests to finish first.
      void context.takeOver();
      return;
    case 'CONN_REPORT':
      return broadcastConnection(context, message.state, 'page', {
        at: message.at,
        except: from?.id ?? null,
      });
    case 'CHANGE_LANGUAGE':
      // Without a connection the cached documents stay, and the app writes them in the new language.
      return install(context).catch(() => undefined);
    case 'GET_STATE':
      return;
  }
}
