import { startCatchingUp, startProbing } from '#web/platform/connection/probe.ts';
import { createStore } from '#web/platform/create-store.ts';
import { startRelaying } from '#web/platform/worker/relay-connection.ts';

const isWatching = createStore(false);

/** Probes for a lost connection, exchanges findings with other tabs and catches up. Not in the first bundle. */
export function watchConnection(): void {
  if (isWatching.get()) return;
  isWatching.set(true);
  startCatchingUp();
  startRelaying(startProbing());
}
