import {
  apiAvailable,
  canReachApi,
  checkApi,
  markAvailable,
  refetchAll,
  writesPaused,
} from './connection.ts';

const INTERVAL = 1000;
/** Several events report one change: a ping younger than this is not replaced. Milliseconds. */
const YOUNG = 250;
const LOCK = 'probe';
/** Milliseconds between two rounds of requests, for a connection that keeps breaking. */
const CATCH_UP_INTERVAL = 10_000;

export type Probing = {
  /** Pings at once and drops pings that were sent into another network. Does nothing while the API is available. */
  probeNow: () => void;
};

/**
 * While the API is unavailable, pings it at once and then every second, from one visible tab: the one that holds the
 * lock. A tab that gets the lock later pings at once too, so that each finds the API even if no other tab reports it.
 */
export function startProbing(): Probing {
  let turn: AbortController | null = null;
  let restartPings: (() => void) | null = null;
  let pingedAt = 0;

  function probeNow(): void {
    if (performance.now() - pingedAt > YOUNG) restartPings?.();
  }

  /** Begins or ends this tab's turn. */
  function updateTurn(): void {
    const isDue = !apiAvailable.get() && document.visibilityState !== 'hidden';
    if (isDue === (turn !== null)) return;
    turn?.abort();
    turn = isDue ? new AbortController() : null;
    if (turn !== null) void takeTurn(turn.signal);
  }

  async function takeTurn(signal: AbortSignal): Promise<void> {
    // Missing in some browsers and in insecure contexts.
    const { locks } = navigator as Partial<Navigator>;
    const isDone = await locks
      ?.request(LOCK, { signal }, () => pingUntilAvailable(signal))
      .then(() => true)
      .catch(() => false);
    if (!isDone && !signal.aborted) await pingUntilAvailable(signal);
  }

  /**
   * Pings every second without waiting for earlier pings: on a network that hangs, the first to get through counts. Each
   * has a timeout, so only a few are pending at a time.
   */
  function pingUntilAvailable(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const pings = new Set<AbortController>();
      let timer: ReturnType<typeof setInterval> | undefined;

      async function ping(): Promise<void> {
        const own = new AbortController();
        pings.add(own);
        pingedAt = performance.now();
        const isBack = await canReachApi(own);
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
        if (restartPings === restart) restartPings = null;
        resolve();
      }

      signal.addEventListener('abort', end, { once: true });
      restartPings = restart;
      restart();
    });
  }

  apiAvailable.subscribe(updateTurn);
  document.addEventListener('visibilitychange', updateTurn);
  window.addEventListener('online', probeNow);
  window.addEventListener('focus', probeNow);
  // The browser's own state is only a hint.
  window.addEventListener('offline', () => void checkApi());
  if (!apiAvailable.get()) updateTurn();
  else if (!navigator.onLine) void checkApi();
  return { probeNow };
}

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
    }, CATCH_UP_INTERVAL);
    const before = losses;
    await refetchAll();
    if (losses === before) writesPaused.set(false);
  }

  apiAvailable.subscribe(() => {
    isDue = apiAvailable.get();
    if (isDue) void catchUp();
    else losses += 1;
  });
}
