import { CLIENT_TEXTS, getErrorCode } from '#contract/client-errors.ts';
import type { ApiError as WireError } from '#contract/common.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { t } from '#web/language/texts.ts';

const REPORTED_CODES: readonly ErrorCode[] = ['internal_server_error', 'unknown_error'];

/** Thrown for a failed call of the newer style. `code` and `message` are those of the first error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  readonly errors: readonly WireError[];
  /** Seconds after which to retry, if the server said so. */
  readonly retryAfter: number | null;
  /** The id under which the server logged the call; null from a server that does not say. */
  readonly requestId: string | null;

  constructor(
    status: number,
    errors: readonly [WireError, ...WireError[]],
    { retryAfter = null, requestId = null }: { retryAfter?: number | null; requestId?: string | null } = {},
  ) {
    super(errors[0].message);
    this.status = status;
    this.code = errors[0].code;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/**
 * The text to show for a failure of either style: the server's, or "Something went wrong". A reported one has a code, by which
 * the operator finds it in the log.
 */
export function errorText(failure: unknown): string {
  const text = plainText(failure);
  const requestId = findReportedId(failure);
  return requestId === null
    ? text
    : t('{problem} Error code: {code}', { problem: text, code: getErrorCode(requestId) });
}

function plainText(failure: unknown): string {
  if (failure instanceof ApiError) return joined(failure.errors.map((error) => error.message));
  if (typeof failure === 'object' && failure !== null && 'error' in failure) {
    return typeof failure.error === 'string' ? joined([failure.error]) : t(CLIENT_TEXTS.plain);
  }
  return t(CLIENT_TEXTS.plain);
}

function findReportedId(failure: unknown): string | null {
  if (failure instanceof ApiError) return isReported(failure) ? failure.requestId : null;
  const isTold = typeof failure === 'object' && failure !== null && 'request_id' in failure;
  return isTold && typeof failure.request_id === 'string' ? failure.request_id : null;
}

/** Whether the customer reads that the failure has been reported. */
export function isReported({ code }: Pick<WireError, 'code'>): boolean {
  return REPORTED_CODES.some((reported) => reported === code);
}

export function hasErrorCode(failure: unknown, code: ErrorCode): boolean {
  return failure instanceof ApiError && failure.errors.some((error) => error.code === code);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(', ') || t(CLIENT_TEXTS.plain);
}
