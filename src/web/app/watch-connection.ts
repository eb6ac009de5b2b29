import { startCatchingUp } from '../platform/connection/catch-up.ts';
import { startProbing } from '../platform/connection/probe.ts';

let isWatching = false;

/** What follows from a lost connection: looking for it, telling other tabs, catching up. Not in the first bundle. */
export function watchConnection(): void {
  if (isWatching) return;
  isWatching = true;
  startCatchingUp();
  startProbing();
  // With the worker's side a chunk of its own, which must not keep the rest from working.
  void import('../platform/worker/relay-connection.ts').then(
    ({ startRelaying }) => startRelaying(),
    () => undefined,
  );
}
