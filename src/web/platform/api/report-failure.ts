import { markReported, report } from '../reporting/reporting.ts';

const reported = new Set<string>();

/**
 * Reports a call whose failure the customer is told "has been reported", once for each call and status in a page load.
 * `failure` is what the caller throws: whoever catches it does not report it a second time. Ids in the path are taken
 * out where reports are sent.
 */
export function reportFailure(method: string, path: string, status: number, failure?: Error): void {
  const text = `${method} ${path} failed with status ${status}.`;
  if (!reported.has(text)) report(new Error(text));
  reported.add(text);
  if (failure) markReported(failure);
}
