import { markReported, report } from '../reporting/reporting.ts';

/**
 * Reports a call whose failure the customer is told "has been reported". Once for each call and status in a page load:
 * repeats of the same failure say nothing new. `failure` is what the caller throws, so that whoever catches it does not
 * report it a second time.
 */
export function reportFailure(method: string, path: string, status: number, failure?: Error): void {
  const text = `${method} ${withoutIds(path)} failed with status ${status}.`;
  if (!reported.has(text)) report(new Error(text));
  reported.add(text);
  if (failure !== undefined) markReported(failure);
}

const reported = new Set<string>();

/** The API's own path segments are lowercase words; any other is an id, a reference or a token. */
function withoutIds(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/\/[^/]*[^/a-z_.][^/]*/g, '/{id}');
}
