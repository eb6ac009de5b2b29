import { useMutation } from '@tanstack/react-query';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { type Proof, reauthenticate } from '#web/platform/api/security.ts';
import type { NextStep } from '#web/platform/api/types.ts';
import { tooManyTries } from '../forms/problems.ts';

type Handlers = { onConfirmed: (token: string) => void; onNext?: (step: NextStep) => void };

/** One try to show who it is. `problem` is what to read when it was not believed. */
export function useProof({ onConfirmed, onNext }: Handlers) {
  const attempt = useMutation({
    mutationFn: (proof: Proof | (() => Promise<Proof>)) =>
      typeof proof === 'function' ? proof().then(reauthenticate) : reauthenticate(proof),
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
