import { reauthenticate } from '#contract/sign-in/endpoints.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { SignInOutcome } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';

export type ProofProps = { onConfirmed: (token: string) => void };

/** Sends a proof of the customer's identity, or requests a mailed code. */
export function sendProof(proof: InputOf<typeof reauthenticate>['body']) {
  return request(reauthenticate, { body: proof });
}

/** For `onDone`: renews the session. */
export function confirmWith(onConfirmed: ProofProps['onConfirmed']) {
  return (outcome: SignInOutcome) => {
    if ('token' in outcome) onConfirmed(outcome.token);
  };
}

export function explainProof(failure: Error): string {
  return hasErrorCode(failure, 'invalid_credentials')
    ? 'That password is not right.'
    : explainFailure(failure);
}
