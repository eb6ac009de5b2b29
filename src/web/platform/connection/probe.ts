import { apiAvailable, markAvailable } from './connection.ts';
import { lookOnce, reaches } from './reach.ts';

const INTERVAL = 1000;
/** A ping this young is not given up for another; several events tell of one change. */
const YOUNG = 250;
const LOCK = 'probe';

/**
 * While the API is unavailable it is pinged at once and then every second, by one visible tab: the one that holds the
 * lock. A tab that gets the lock later pings at once too, so that each finds the API again even if it is not told.
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

/**
 * Sends a ping every second, however long the earlier ones take: on a network that hangs, the first that gets through
 * counts. Each gives up by itself, so a handful are under way at most.
 */
function pingUntilFound(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const pings = new Set<AbortController>();
    let timer: ReturnType<typeof setInterval> | undefined;

    async function ping(): Promise<void> {
      const own = new AbortController();
      pings.add(own);
      pingedAt = performance.now();
      const isBack = await reaches(own);
      pings.delete(own);
      if (!isBack || signal.aborted) return;
      end();
      markAvailable();
    }

    function abortPings(): void {
      clearInterval(timer);
      for (const each of pings) each.abort();
      pings.clear();
    }

    function restart(): void {
      abortPings();
      void ping();
      timer = setInterval(ping, INTERVAL);
    }

    function end(): void {
      abortPings();
      if (wake === restart) wake = null;
      resolve();
    }

    signal.addEventListener('abort', end, { once: true });
    wake = restart;
    restart();
  });
}
