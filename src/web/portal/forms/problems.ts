import type { ErrorCode } from '#contract/errors.ts';
import { ApiError, errorText } from '#web/platform/api/api-error.ts';

/** What is wrong, by field as the wire names it; `form` is what no field is to blame for. */
export type Problems<Field extends string> = Partial<Record<Field | 'form', string>>;

export const EMAIL_PROBLEM = 'Enter an email address, like name@example.com.';

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

/** A refusal said where it belongs: beside the field its code is about, or the field the server names. */
export function problemsOf<Field extends string>(
  failure: unknown,
  fields: readonly Field[],
  byCode: Partial<Record<ErrorCode, Field>> = {},
): Problems<Field> {
  if (!(failure instanceof ApiError)) return { form: errorText(failure) } as Problems<Field>;
  if (failure.code === 'rate_limited' && failure.retryAfter !== null) {
    return { form: tooManyTries(failure.retryAfter) } as Problems<Field>;
  }
  const problems: Partial<Record<string, string>> = {};
  for (const { code, field, message } of failure.errors) {
    const place = byCode[code as ErrorCode] ?? fields.find((known) => known === field) ?? 'form';
    problems[place] = problems[place] === undefined ? message : `${problems[place]}, ${message}`;
  }
  return problems as Problems<Field>;
}

export function tooManyTries(seconds: number): string {
  return `Too many tries. You can try again in ${formatWait(seconds)}.`;
}

/** Never less than it takes: minutes and hours are rounded up. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
