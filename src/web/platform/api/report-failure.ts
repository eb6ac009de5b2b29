import { markReported, report } from '../reporting/reporting.ts';

const reported = new Set<string>();

/**
 * Reports a failed call whose text says "has been reported", once per call and status. `failure` is the error that
 * the caller throws; it is not reported again. Ids in the path are scrubbed when the report is sent.
 */
export function reportFailure(method: string, path: string, status: number, failure?: Error): void {
  const text = `${method} ${path} failed with status ${status}.`;
  if (!reported.has(text)) report(new Error(text));
  reported.add(text);
  if (failure) markReported(failure);
}
