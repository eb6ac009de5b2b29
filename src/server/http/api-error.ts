import type { ApiError as WireError } from '#contract/common.ts';
import { apiErrors, type ErrorCode } from '#contract/errors.ts';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Translate } from '#messages/translate.ts';
import { clerkTexts, type Wordings } from '#sentences/errors/clerk-errors.ts';
import { type GivenReason, presentReason } from '#sentences/errors/error-reasons.ts';
import { textsIn } from '../core/texts.ts';

/** Its text replaces that of the code. */
type Reason = GivenReason | { reason?: undefined };

/** One of the problems of a request. */
export type Problem = Reason & {
  code: ErrorCode;
  /** Dotted path of the invalid field. */
  field?: string;
  /** Data for the client's next step: a new quote, sailings that still fit. */
  details?: Record<string, unknown>;
};

export type ErrorDetails = Reason & {
  field?: string;
  details?: Record<string, unknown>;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
};

/** An error that is reported to the caller. Any other thrown error becomes a 500 without details. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, { retryAfter, ...details }: ErrorDetails = {}, more: readonly Problem[] = []) {
    const first = { code, ...details };
    super(presentProblem(textsIn(SOURCE_LANGUAGE), first).message);
    this.name = 'ApiError';
    this.code = code;
    this.status = apiErrors[code].status;
    this.retryAfter = retryAfter;
    this.problems = [first, ...more];
  }

  /** The problems as the caller reads them: a customer, or staff who act for one. */
  present(t: Translate, reader: 'customer' | 'clerk' = 'customer'): WireError[] {
    const wordings = reader === 'clerk' ? clerkTexts : {};
    return this.problems.map((problem) => presentProblem(t, problem, wordings));
  }
}

function presentProblem(
  t: Translate,
  { code, field, details, ...given }: Problem,
  wordings: Wordings = {},
): WireError {
  return {
    code,
    ...(given.reason === undefined
      ? { message: t(wordings[code] ?? apiErrors[code].message) }
      : presentReason(t, given, wordings)),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
  };
}

/** The same response for things that never existed, were deleted, or belong to another customer. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}
