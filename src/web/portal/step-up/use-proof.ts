import { useMutation } from '@tanstack/react-query';
import { reauthenticate } from '#contract/sign-in/endpoints.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { NextStep } from '#web/platform/api/types.ts';
import { tooManyTries } from '../forms/problems.ts';

/** What shows that it is the owner. */
type Proof = InputOf<typeof reauthenticate>['body'];
type Handlers = { onConfirmed: (token: string) => void; onNext?: (step: NextStep) => void };

/** One try to show who it is. `problem` is what to read when it was not believed. */
export function useProof({ onConfirmed, onNext }: Handlers) {
  const attempt = useMutation({
    mutationFn: async (proof: Proof | (() => Promise<Proof>)) =>
      request(reauthenticate, { body: typeof proof === 'function' ? await proof() : proof }),
    onSuccess: (outcome) => {
      if ('token' in outcome) onConfirmed(outcome.token);
      else onNext?.(outcome);
    },
  });
  return {
    show: (proof: Proof | (() => Promise<Proof>)) => {
      if (!attempt.isPending) attempt.mutate(proof);
    },
    error: attempt.error,
    problem: attempt.error === null ? undefined : problemText(attempt.error),
    isPending: attempt.isPending,
  };
}

function problemText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'rate_limited' && error.retryAfter !== null) {
    return tooManyTries(error.retryAfter);
  }
  if (hasErrorCode(error, 'invalid_credentials')) return 'That password is not right.';
  return errorText(error);
}
