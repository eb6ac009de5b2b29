import { apiAvailable, refetchAll, writesOff } from './connection.ts';

/** Milliseconds between two rounds of requests, for a connection that keeps breaking. */
const AT_MOST_EVERY = 10_000;

/** When the API returns, refetches what is on screen once and then enables writing. */
export function startCatchingUp(): void {
  let isDue = false;
  let isPausing = false;
  let losses = 0;

  async function catchUp(): Promise<void> {
    if (!isDue || isPausing) return;
    isDue = false;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      void catchUp();
    }, AT_MOST_EVERY);
    const before = losses;
    await refetchAll();
    if (losses === before) writesOff.set(false);
  }

  apiAvailable.subscribe(() => {
    isDue = apiAvailable.get();
    if (isDue) void catchUp();
    else losses += 1;
  });
}
