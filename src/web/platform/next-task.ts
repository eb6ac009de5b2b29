import { pendingRequests } from './pending-requests.ts';

/**
 * Ends the task under way, so that a tap or a frame that waits gets its turn before what follows. Work that is
 * cut into such pieces keeps a slow phone answering while the app starts.
 */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Runs what nobody waits for when the page has nothing better to do and no answer is on its way, which it would slow
 * down on a weak link; or after a while at the latest. The answered function calls it off.
 */
export function whenIdle(work: () => void): () => void {
  const off = new AbortController();
  const run = () => {
    if (off.signal.aborted) return;
    off.abort();
    work();
  };
  const timer = setTimeout(run, IDLE_WITHIN_MS);
  off.signal.addEventListener('abort', () => clearTimeout(timer));
  const runWhenAnswered = () => {
    if (pendingRequests.get() === 0) run();
  };
  whenRested(() => {
    runWhenAnswered();
    if (!off.signal.aborted) {
      const stop = pendingRequests.subscribe(() => whenRested(runWhenAnswered));
      off.signal.addEventListener('abort', stop);
    }
  });
  return () => off.abort();
}

const IDLE_WITHIN_MS = 2000;
const IDLE_FALLBACK_MS = 200;

function whenRested(work: () => void): void {
  // Not in every browser: Safari got it late.
  const { requestIdleCallback } = window as Partial<Window>;
  if (requestIdleCallback) requestIdleCallback(work);
  else setTimeout(work, IDLE_FALLBACK_MS);
}
