import { pendingRequests } from './pending-requests.ts';

/**
 * Runs low-priority work when the page is idle and no request is pending, which it would slow down on a weak
 * connection. Of pending requests it waits for two seconds at most. Returns a function that cancels it.
 */
export function whenIdle(work: () => void): () => void {
  const off = new AbortController();
  runWhenIdle(work, off);
  return () => off.abort();
}

function runWhenIdle(work: () => void, off: AbortController): void {
  const run = () => {
    if (off.signal.aborted) return;
    off.abort();
    work();
  };
  const timer = setTimeout(() => whenBrowserIdle(run), ANSWERED_WITHIN_MS);
  off.signal.addEventListener('abort', () => clearTimeout(timer));
  const runWhenAnswered = () => {
    if (pendingRequests.get() === 0) run();
  };
  whenBrowserIdle(() => {
    runWhenAnswered();
    if (!off.signal.aborted) {
      const stop = pendingRequests.subscribe(() => whenBrowserIdle(runWhenAnswered));
      off.signal.addEventListener('abort', stop);
    }
  });
}

const ANSWERED_WITHIN_MS = 2000;
const IDLE_FALLBACK_MS = 200;

function whenBrowserIdle(work: () => void): void {
  // Missing in older Safari.
  const { requestIdleCallback } = window as Partial<Window>;
  if (requestIdleCallback) requestIdleCallback(work);
  else setTimeout(work, IDLE_FALLBACK_MS);
}
