import { createStore } from '../create-store.ts';
import { getMessage } from './classify.ts';

export type ReportLevel = 'error' | 'warning' | 'info';
export type Report = {
  /** Unscrubbed: the sender removes personal data. */
  error: Error;
  /** The components around a rendering error. */
  componentStack?: string | undefined;
  url: string;
  /** ISO 8601. */
  timestamp: string;
  level: ReportLevel;
  /** Of the failed call, under which the server logged it. */
  requestId?: string | null | undefined;
};
export type Reporter = (report: Report) => void;

const QUEUE_LIMIT = 20;

const queue = createStore<readonly Report[]>([]);
/** Holds an object, because a store calls functions that it is set to. */
const reporter = createStore<{ send: Reporter } | null>(null);
const marked = new WeakSet<object>();
const componentStacks = new WeakMap<object, string>();
const reportedCalls = new Set<string>();

/** Reports an error, or queues it until a reporter is set. Skips the errors of reported calls. */
export function report(
  error: unknown,
  { level = 'error', requestId }: { level?: ReportLevel } & Pick<Report, 'requestId'> = {},
): void {
  if (isObject(error) && marked.has(error)) return;
  const entry: Report = {
    error: error instanceof Error ? error : withoutStack(getMessage(error)),
    componentStack: isObject(error) ? componentStacks.get(error) : undefined,
    url: window.location.href,
    timestamp: new Date().toISOString(),
    level,
    requestId,
  };
  const sender = reporter.get();
  if (sender !== null) sender.send(entry);
  else queue.set((entries) => (entries.length < QUEUE_LIMIT ? [...entries, entry] : entries));
}

/** Lets the report of a rendering error, which may follow, name the components around it. */
export function noteComponents(error: unknown, componentStack: string | undefined): void {
  if (isObject(error) && componentStack) componentStacks.set(error, componentStack);
}

/**
 * Reports a failed call whose text says "has been reported", once per call and status. `failure` is the error that
 * the caller throws; it is not reported again. Ids in the path are scrubbed when the report is sent.
 */
export function reportFailedCall(
  method: string,
  path: string,
  { status, requestId }: { status: number } & Pick<Report, 'requestId'>,
  failure?: Error,
): void {
  const text = `${method} ${path} failed with status ${status}.`;
  if (!reportedCalls.has(text)) report(new Error(text), { requestId });
  reportedCalls.add(text);
  if (failure) marked.add(failure);
}

/** Sets where reports go and sends the queued ones. Null queues again. */
export function setReporter(next: Reporter | null): void {
  reporter.set(next && { send: next });
  if (next === null) return;
  const queued = queue.get();
  queue.set([]);
  for (const entry of queued) next(entry);
}

/** Its own stack would show where it is reported. */
function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: '' });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
