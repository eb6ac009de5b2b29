import { apiAvailable, refetchAll, writesOff } from './connection.ts';

/** A connection that comes and goes must not have everything fetched each time it comes. */
const AT_MOST_EVERY = 10_000;

/** When the API is back, what is on screen is asked for again, once; then writing is on again. */
export function startCatchingUp(): void {
  apiAvailable.subscribe(() => {
    isDue = apiAvailable.get();
    if (isDue) void catchUp();
    else losses += 1;
  });
}

let isDue = false;
let isResting = false;
let losses = 0;

async function catchUp(): Promise<void> {
  if (!isDue || isResting) return;
  isDue = false;
  isResting = true;
  setTimeout(() => {
    isResting = false;
    void catchUp();
  }, AT_MOST_EVERY);
  const before = losses;
  await refetchAll();
  if (losses === before) writesOff.set(false);
}
