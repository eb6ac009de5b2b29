import type { Attempt } from './attempt.ts';
import type { SignInFlow } from './use-sign-in.ts';

export type StepProps = {
  attempt: Attempt;
  proceed: SignInFlow['proceed'];
  /** Back to the first step, with why where it was not asked for. */
  onRestart: (message?: string) => void;
};
