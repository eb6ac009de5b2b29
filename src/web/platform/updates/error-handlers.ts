import { setNotifyReload } from '../notifications/notifications.ts';
import { classify, messageOf } from '../reporting/classify.ts';
import { report } from '../reporting/reporting.ts';
import { tellMissingPart } from './missing-part.ts';
import { mayReload, tryReload } from './reload.ts';

const STACK_RELOAD_DELAY = 1000;
/** Ids count up from one for a page's whole life; older ones than these have long run out. */
const TIMERS_CLEARED = 100_000;

let isLeaving = false;

/** Does what the error asks for: reload, tell the customer, keep quiet, or report. True: the page is about to go. */
export function handleError(error: unknown, text: string = messageOf(error)): boolean {
  switch (classify(text)) {
    case 'suppress':
      return false;
    case 'notify-reload':
      void tellMissingPart();
      return false;
    case 'reload-for-provider':
      // Where it may not, the card form's own place says so and offers another try.
      return tryReload('provider-script');
    case 'reload-for-stack':
      return leaveForStack();
    default:
      report(error);
      return false;
  }
}

/** Once, before anything else runs. Answers how to take the handlers off again. */
export function installErrorHandlers(): () => void {
  const handlers = new AbortController();
  const { signal } = handlers;
  window.addEventListener('error', onError, { signal });
  window.addEventListener('unhandledrejection', onRejection, { signal });
  window.addEventListener('vite:preloadError', onPreloadError, { signal });
  return () => handlers.abort();
}

function onError(event: ErrorEvent): void {
  // Scripts and pictures that fail to load have no message; whoever asked for them says what it means.
  if (event.error === undefined && !event.message) return;
  handleError(event.error ?? event.message, event.message || messageOf(event.error));
}

function onRejection(event: PromiseRejectionEvent): void {
  handleError(event.reason);
  event.preventDefault();
}

/** Left to be thrown again: prevented, the import would resolve to nothing and the screen stay empty. */
function onPreloadError(): void {
  void tellMissingPart();
}

/** A page that stays needs its timers: they end only with it. One overflow seldom comes alone. */
function leaveForStack(): boolean {
  if (isLeaving) return true;
  isLeaving = mayReload('call-stack');
  if (!isLeaving) setNotifyReload(true);
  else {
    clearAllTimers();
    setTimeout(reloadForStack, STACK_RELOAD_DELAY);
  }
  return isLeaving;
}

function reloadForStack(): void {
  isLeaving = false;
  if (!tryReload('call-stack')) setNotifyReload(true);
}

function clearAllTimers(): void {
  const last = Number(setTimeout(() => undefined));
  for (let id = last; id > Math.max(0, last - TIMERS_CLEARED); id -= 1) {
    clearTimeout(id);
    clearInterval(id);
  }
}
