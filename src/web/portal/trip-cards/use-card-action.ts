import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, hasErrorCode } from '#web/platform/api/api-error.ts';
import { explainFailure } from '../parts/explain-failure.ts';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { refreshTripCards } from './queries.ts';

type Options<Input, Data> = {
  onDone?: (data: Data, input: Input) => void;
  onFailed?: (failure: Error) => void;
};

/**
 * Something done with a card. Where the server wants to be sure who it is, it asks. A try whose outcome is not known
 * is the same try when it is made again.
 */
export function useCardAction<Input, Data>(
  act: (input: Input, idempotencyKey: string) => Promise<Data>,
  { onDone, onFailed }: Options<Input, Data> = {},
) {
  const stepUp = useStepUp();
  const client = useQueryClient();
  const attempt = useRef<{ input: string; key: string } | null>(null);
  const action = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input) ?? '';
      if (attempt.current?.input !== text) attempt.current = { input: text, key: crypto.randomUUID() };
      const { key } = attempt.current;
      return stepUp.run(() => act(input, key));
    },
    onSuccess: (data, input) => {
      attempt.current = null;
      onDone?.(data, input);
    },
    onError: (failure) => {
      if (failure instanceof StepUpCancelled) return;
      if (isAnswered(failure)) attempt.current = null;
      onFailed?.(failure);
    },
    onSettled: () => refreshTripCards(client),
  });
  const failure = action.error instanceof StepUpCancelled ? null : action.error;
  return {
    run: (input: Input) => {
      if (!action.isPending) action.mutate(input);
    },
    isPending: action.isPending,
    /** What it is being done to. */
    input: action.isPending ? action.variables : undefined,
    failure,
    problem: failure === null ? null : explainFailure(failure),
  };
}

/** False where the server may or may not have done it. */
export function isAnswered(failure: unknown): boolean {
  if (!(failure instanceof ApiError) || hasErrorCode(failure, 'request_in_progress')) return false;
  return failure.status >= 400 && failure.status < 500;
}
