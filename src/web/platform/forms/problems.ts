import type { ErrorCode } from '#contract/errors.ts';
import { t } from '#web/language/texts.ts';
import { ApiError, errorText, isReported } from '../api/api-error.ts';
import { camelKey } from '../api/case-conversion.ts';

/** Messages by field. `form` is for what concerns no single field. */
export type Problems<Field extends string> = Partial<Record<Field | 'form', string>>;

/** The server's messages beside the fields they are about: by the error's code, or by the field the server names. */
export function findProblems<Field extends string>(
  failure: unknown,
  fields: readonly Field[],
  byCode: Partial<Record<ErrorCode, Field>> = {},
): Problems<Field> {
  if (!(failure instanceof ApiError) || isRateLimited(failure) || isReported(failure)) {
    return { form: explainFailure(failure) } as Problems<Field>;
  }
  const problems: Partial<Record<string, string>> = {};
  for (const { code, field = '', message } of failure.errors) {
    const key = byCode[code as ErrorCode] ?? fields.find((each) => each === camelKey(field)) ?? 'form';
    problems[key] = problems[key] === undefined ? message : `${problems[key]}, ${message}`;
  }
  return problems as Problems<Field>;
}

/** The text to show for a failed action. A rate limit says when to try again. */
export function explainFailure(failure: unknown): string {
  return isRateLimited(failure)
    ? t('Too many tries. You can try again in {duration}.', { duration: formatWait(failure.retryAfter) })
    : errorText(failure);
}

/** Minutes and hours are rounded up. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return t('{seconds, plural, one {# second} other {# seconds}}', { seconds });
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return t('{minutes, plural, one {# minute} other {# minutes}}', { minutes });
  return t('{hours, plural, one {# hour} other {# hours}}', { hours: Math.ceil(minutes / 60) });
}

function isRateLimited(failure: unknown): failure is ApiError & { retryAfter: number } {
  return failure instanceof ApiError && failure.code === 'rate_limited' && failure.retryAfter !== null;
}
