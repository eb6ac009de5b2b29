import { ApiError, errorText, fieldErrorText, hasErrorCode } from '#web/platform/api/api-error.ts';

export type Credentials = { email: string; password: string };
/** What is wrong, by field; `form` is what no field is to blame for. */
export type SignInProblem = { email?: string; password?: string; form?: string };

/** What can be seen to be wrong before anything is sent. */
export function checkCredentials({ email, password }: Credentials): SignInProblem {
  return {
    ...(/^\S+@\S+$/.test(email) ? {} : { email: 'Enter your email address, like name@example.com.' }),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  };
}

export function problemOf(failure: unknown): SignInProblem {
  if (hasErrorCode(failure, 'invalid_credentials')) return { password: errorText(failure) };
  const email = fieldErrorText(failure, 'email');
  if (email !== null) return { email };
  if (failure instanceof ApiError && failure.code === 'rate_limited' && failure.retryAfter !== null) {
    return { form: `Too many tries. You can try again in ${formatWait(failure.retryAfter)}.` };
  }
  return { form: errorText(failure) };
}

/** Never less than it takes: minutes are rounded up. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
