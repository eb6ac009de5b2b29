import type { FromWorker } from '#contract/worker-messages.ts';
import type { Surroundings } from './surroundings.ts';

/** Says it to every tab of this origin, save the one it came from. */
export async function tell(
  env: Pick<Surroundings, 'tabs'>,
  message: FromWorker,
  except: string | null = null,
): Promise<void> {
  for (const tab of await env.tabs()) if (tab.id !== except) tab.postMessage(message);
}
