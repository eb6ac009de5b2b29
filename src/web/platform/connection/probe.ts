import { apiAvailable, markAvailable } from './connection.ts';
import { lookOnce, reaches } from './reach.ts';

const INTERVAL = 1000;
/** A ping this young is not given up for another; several events tell of one change. */
const YOUNG = 250;
const LOCK = 'probe';

/**
 * While the API is away it is pinged at once and then every second, by one tab of those in sight: the tab that holds
 * the lock. Another that gets it later pings at once as well, so that each finds the way back even untold.
 */
export function startProbing(): void {
  apiAvailable.subscribe(tend);
  document.addEventListener('visibilitychange', tend);
  window.addEventListener('online', lookNow);
  window.addEventListener('focus', lookNow);
  // The device's own word is never a verdict, but a reason to look.
  window.addEventListener('offline', () => void lookOnce());
  if (!apiAvailable.get()) tend();
  else if (!navigator.onLine) void lookOnce();
}

/** No waiting for the second to pass, nor for a ping that was sent into another network. */
export function lookNow(): void {
  if (performance.now() - pingedAt > YOUNG) wake?.();
}

let turn: AbortController | null = null;
let wake: (() => void) | null = null;
let pingedAt = 0;

function tend(): void {
  const isWanted = !apiAvailable.get() && document.visibilityState !== 'hidden';
  if (isWanted === (turn !== null)) return;
  turn?.abort();
  turn = isWanted ? new AbortController() : null;
  if (turn !== null) void takeTurn(turn.signal);
}

async function takeTurn(signal: AbortSignal): Promise<void> {
  // Not in every browser, nor everywhere in those that have them.
  const { locks } = navigator as Partial<Navigator>;
  const isDone = await locks
    ?.request(LOCK, { signal }, () => pingUntilFound(signal))
    .then(() => true)
    .catch(() => false);
  if (!isDone && !signal.aborted) await pingUntilFound(signal);
}

async function pingUntilFound(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ping = new AbortController();
    const nextIsDue = pause(INTERVAL, signal, () => ping.abort());
    pingedAt = performance.now();
    if (await reaches(ping)) {
      if (!signal.aborted) markAvailable();
      return;
    }
    await nextIsDue;
  }
}

/** Ends early when somebody wakes it or the turn is over; `onEarly` runs then. */
function pause(duration: number, signal: AbortSignal, onEarly: () => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, duration);
    wake = () => {
      clearTimeout(timer);
      onEarly();
      resolve();
    };
    signal.addEventListener('abort', wake, { once: true });
  });
}
