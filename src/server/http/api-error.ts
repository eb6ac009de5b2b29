import type { ApiError as WireError } from '#contract/common.ts';
import { apiErrors, type ErrorCode } from '#contract/errors.ts';

export type ErrorDetails = {
  /** Replaces the code's own text. */
  message?: string;
  /** Dotted path of the invalid field. */
  field?: string;
  /** Data for the client's next step: a new quote, sailings that still fit. */
  details?: Record<string, unknown>;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
};

/** An error that is reported to the caller. Any other thrown error becomes a 500 without details. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly errors: readonly WireError[];

  constructor(code: ErrorCode, details: ErrorDetails = {}, more: readonly WireError[] = []) {
    const message = details.message ?? apiErrors[code].message;
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = apiErrors[code].status;
    this.retryAfter = details.retryAfter;
    this.errors = [
      {
        code,
        message,
        ...(details.field === undefined ? {} : { field: details.field }),
        ...(details.details === undefined ? {} : { details: details.details }),
      },
      ...more,
    ];
  }
}

/** The same response for things that never existed, were deleted, or belong to another customer. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}
