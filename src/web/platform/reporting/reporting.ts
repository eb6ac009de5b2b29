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

let queue: Report[] = [];
let reporter: Reporter | null = null;
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

function isMarked(error: unknown): boolean {
  return typeof error === 'object' && error !== null && marked.has(error);
}
