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
 * Runs what nobody waits for when the page has nothing better to do, or after a while at the latest. The answered
 * function calls it off.
 */
export function whenIdle(work: () => void): () => void {
  // Not in every browser: Safari got it late.
  const { requestIdleCallback, cancelIdleCallback } = window as Partial<Window>;
  if (requestIdleCallback && cancelIdleCallback) {
    const handle = requestIdleCallback(work, { timeout: IDLE_WITHIN_MS });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, IDLE_FALLBACK_MS);
  return () => clearTimeout(timer);
}

const IDLE_WITHIN_MS = 2000;
const IDLE_FALLBACK_MS = 200;
