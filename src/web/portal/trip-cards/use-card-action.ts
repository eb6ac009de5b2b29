import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { StepUpCancelled } from '#web/platform/forms/step-up.ts';
import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { refreshTripCards } from './queries.ts';

type Options<Input, Data> = {
  onDone?: (data: Data, input: Input) => void;
  onFailed?: (failure: Error) => void;
};

/** Changes a card, with a step-up where the server requires one. Repeats a write whose outcome is unknown. */
export function useCardAction<Input, Data>(
  act: (input: Input, idempotencyKey: string) => Promise<Data>,
  { onDone, onFailed }: Options<Input, Data> = {},
) {
  const stepUp = useStepUp();
  const client = useQueryClient();
  const [writes] = useState(() => createIdempotentWrites());
  const action = useMutation({
    mutationFn: (input: Input) =>
      writes.run(JSON.stringify(input) ?? '', (key) => stepUp.run(() => act(input, key))),
    onSuccess: (data, input) => onDone?.(data, input),
    onError: (failure) => {
      if (!(failure instanceof StepUpCancelled)) onFailed?.(failure);
    },
    onSettled: () => refreshTripCards(client),
  });
  const failure = action.error instanceof StepUpCancelled ? null : action.error;
  return {
    run: (input: Input) => {
      if (!action.isPending) action.mutate(input);
    },
    isPending: action.isPending,
    /** The input of the action under way. */
    input: action.isPending ? action.variables : undefined,
    failure,
    problem: failure === null ? null : explainFailure(failure),
  };
}
