import type { ApiError as WireError } from '#contract/common.ts';
import { apiErrors, type ErrorCode } from '#contract/errors.ts';

export type ErrorDetails = {
  /** Said instead of the code's own sentence. */
  message?: string;
  /** Dotted path of the field that is wrong. */
  field?: string;
  /** What a client needs to go on: the new quote, the sailings that still fit. */
  details?: Record<string, unknown>;
  /** Seconds after which a new try makes sense. */
  retryAfter?: number;
};

/** A refusal the caller is told about. Anything else that is thrown becomes a 500 without words. */
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

/** The same answer whether a thing never was, was deleted or belongs to somebody else. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}
