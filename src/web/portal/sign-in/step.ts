import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Attempt } from './attempt.ts';
import type { SignInFlow } from './use-sign-in.ts';

export type StepProps = {
  attempt: Attempt;
  proceed: SignInFlow['proceed'];
  /** Back to the first step, with why where it was not asked for. */
  onRestart: (message?: string) => void;
};

/** For a form's `onFailed`: leads back to the first step once this one has expired. */
export function restartIfExpired(onRestart: StepProps['onRestart']) {
  return (failure: Error) => {
    if (!hasErrorCode(failure, 'attempt_expired')) return undefined;
    onRestart(errorText(failure));
    return {};
  };
}
