import type { FromWorker } from '#contract/worker-messages.ts';
import type { WorkerContext } from './worker-context.ts';

/** Sends a message to every tab of this origin, except the tab with the id `except`. */
export async function broadcast(
  context: Pick<WorkerContext, 'tabs'>,
  message: FromWorker,
  except: string | null = null,
): Promise<void> {
  for (const tab of await context.tabs()) if (tab.id !== except) tab.postMessage(message);
}
