import { ApiError, errorText } from '#web/platform/api/api-error.ts';
import { tooManyTries } from '../forms/problems.ts';

export function explainFailure(failure: Error): string {
  if (failure instanceof ApiError && failure.code === 'rate_limited' && failure.retryAfter !== null) {
    return tooManyTries(failure.retryAfter);
  }
  return errorText(failure);
}
