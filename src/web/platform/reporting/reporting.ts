import { setNotifyReload } from '../notifications/notifications.ts';
import { tellMissingPart } from '../updates/missing-part.ts';
import { mayReload, tryReload } from '../updates/reload.ts';
import { classify, messageOf } from './classify.ts';

export type ReportLevel = 'error' | 'warning' | 'info';
export type Report = {
  /** As the page knows it: who sends it on takes out what is private. */
  name: string;
  message: string;
  stack: string;
  url: string;
  /** ISO instant. */
  timestamp: string;
  level: ReportLevel;
  environment: 'production';
};
export type Reporter = (report: Report) => void;

const QUEUE_LIMIT = 20;
const STACK_RELOAD_DELAY = 1000;
/** Ids count up from one for a page's whole life; older ones than these have long run out. */
const TIMERS_CLEARED = 100_000;

let queue: Report[] = [];
let reporter: Reporter | null = null;
let isLeaving = false;
const marked = new WeakSet<object>();

/** Reports what went wrong; kept in memory until a reporter is there. An error that is marked is not reported again. */
export function report(error: unknown, { level = 'error' }: { level?: ReportLevel } = {}): void {
  if (isMarked(error) || classify(messageOf(error)) === 'suppress') return;
  const entry: Report = {
    name: error instanceof Error ? error.name : 'Error',
    message: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? '') : '',
    url: window.location.href,
    timestamp: new Date().toISOString(),
    level,
    environment: 'production',
  };
  if (reporter !== null) reporter(entry);
  else if (queue.length < QUEUE_LIMIT) queue.push(entry);
}

/** For an error whose cause has been reported already: wherever it is caught or not caught, it adds no report. */
export function markReported(error: Error): void {
  marked.add(error);
}

/** Where reports go from now on; what was queued goes first. Null queues again. */
export function setReporter(next: Reporter | null): void {
  reporter = next;
  if (next === null) return;
  const early = queue;
  queue = [];
  for (const entry of early) next(entry);
}

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

function isMarked(error: unknown): boolean {
  return typeof error === 'object' && error !== null && marked.has(error);
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
