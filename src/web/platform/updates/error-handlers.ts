import { createStore } from '../create-store.ts';
import { setNotifyReload } from '../notifications/notifications.ts';
import { classify, getMessage } from '../reporting/classify.ts';
import { report } from '../reporting/reporting.ts';
import { handleMissingChunk } from './missing-chunk.ts';
import { mayReload, tryReload } from './reload.ts';

const STACK_RELOAD_DELAY = 1000;
/** Timer ids count up for the lifetime of a page; older timers have run out. */
const TIMERS_CLEARED = 100_000;

const isLeaving = createStore(false);

/**
 * Handles an error by its kind: reloads, shows a notice, ignores or reports it. Returns true if the page is about to
 * reload.
 */
export function handleError(error: unknown, text: string = getMessage(error)): boolean {
  switch (classify(text)) {
    case 'suppress':
      return false;
    case 'notify-reload':
      void handleMissingChunk();
      return false;
    case 'reload-for-provider':
      // If it may not reload, the card form shows the failure and offers another try.
      return tryReload('provider-script');
    case 'reload-for-stack':
      return leaveForStack();
    default:
      report(error);
      return false;
  }
}

/** Call it before anything else. Returns a function that removes the handlers. */
export function installErrorHandlers(): () => void {
  const handlers = new AbortController();
  const { signal } = handlers;
  window.addEventListener('error', onError, { signal });
  window.addEventListener('unhandledrejection', onRejection, { signal });
  window.addEventListener('vite:preloadError', onPreloadError, { signal });
  return () => handlers.abort();
}

function onError(event: ErrorEvent): void {
  // A script or an image failed to load: the code that requested it handles that.
  if (event.error === undefined && !event.message) return;
  handleError(event.error ?? event.message, event.message || getMessage(event.error));
}

function onRejection(event: PromiseRejectionEvent): void {
  handleError(event.reason);
  event.preventDefault();
}

/** Not prevented: the import would resolve to undefined, and the screen would stay empty. */
function onPreloadError(): void {
  void handleMissingChunk();
}

/** Stack overflows come in series, so all timers are cleared, but only if the page really reloads. */
function leaveForStack(): boolean {
  if (isLeaving.get()) return true;
  if (!mayReload('call-stack')) {
    setNotifyReload(true);
    return false;
  }
  isLeaving.set(true);
  clearAllTimers();
  setTimeout(reloadForStack, STACK_RELOAD_DELAY);
  return true;
}

function reloadForStack(): void {
  isLeaving.set(false);
  if (!tryReload('call-stack')) setNotifyReload(true);
}

function clearAllTimers(): void {
  const last = Number(setTimeout(() => undefined));
  for (let id = last; id > Math.max(0, last - TIMERS_CLEARED); id -= 1) {
    clearTimeout(id);
    clearInterval(id);
  }
}
