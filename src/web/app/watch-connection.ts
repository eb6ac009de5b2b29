import { startCatchingUp, startProbing } from '#web/platform/connection/probe.ts';
import { createStore } from '#web/platform/create-store.ts';

const isWatching = createStore(false);

/** Probes for a lost connection, exchanges findings with other tabs and catches up. Not in the first bundle. */
export function watchConnection(): void {
  if (isWatching.get()) return;
  isWatching.set(true);
  startCatchingUp();
  const probing = startProbing();
  // A chunk of its own, together with the worker: if it cannot be loaded, the rest still works.
  void import('#web/platform/worker/relay-connection.ts').then(
    ({ startRelaying }) => startRelaying(probing),
    () => undefined,
  );
}
