import { createStore } from '../create-store.ts';
import { classify, getMessage } from './classify.ts';

export type ReportLevel = 'error' | 'warning' | 'info';
export type Report = {
  /** Unscrubbed: the sender removes personal data. */
  name: string;
  message: string;
  stack: string;
  url: string;
  /** ISO 8601. */
  timestamp: string;
  level: ReportLevel;
  environment: 'production';
  /** Of the failed call, under which the server logged it. */
  requestId?: string | null | undefined;
};
export type Reporter = (report: Report) => void;

const QUEUE_LIMIT = 20;

const queue = createStore<readonly Report[]>([]);
/** Holds an object, because a store calls functions that it is set to. */
const reporter = createStore<{ send: Reporter } | null>(null);
const marked = new WeakSet<object>();
const reportedCalls = new Set<string>();

/** Reports an error, or queues it until a reporter is set. Skips the errors of reported calls. */
export function report(
  error: unknown,
  { level = 'error', requestId }: { level?: ReportLevel } & Pick<Report, 'requestId'> = {},
): void {
  if (isMarked(error) || classify(getMessage(error)) === 'suppress') return;
  const entry: Report = {
    name: error instanceof Error ? error.name : 'Error',
    message: getMessage(error),
    stack: error instanceof Error ? (error.stack ?? '') : '',
    url: window.location.href,
    timestamp: new Date().toISOString(),
    level,
    environment: 'production',
    requestId,
  };
  const sender = reporter.get();
  if (sender !== null) sender.send(entry);
  else queue.set((entries) => (entries.length < QUEUE_LIMIT ? [...entries, entry] : entries));
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

function isMarked(error: unknown): boolean {
  return typeof error === 'object' && error !== null && marked.has(error);
}
