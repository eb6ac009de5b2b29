import { useMutation, useQueryClient } from '@tanstack/react-query';
import { explainFailure } from '../parts/explain-failure.ts';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { SECURITY_KEY } from './queries.ts';

/** Something that only the owner may do: confirmed where needed, and then everything on the screen is news. */
export function useOwnerAction<Input, Data>(
  act: (input: Input) => Promise<Data>,
  { onDone, onFailed, explain = explainFailure }: Options<Input, Data> = {},
) {
  const stepUp = useStepUp();
  const client = useQueryClient();
  const action = useMutation({
    mutationFn: (input: Input) => stepUp.run(() => act(input)),
    onSuccess: (data, input) => onDone?.(data, input),
    onError: (failure) => {
      if (!(failure instanceof StepUpCancelled)) onFailed?.(failure);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: SECURITY_KEY }),
  });
  const failure = action.error instanceof StepUpCancelled ? null : action.error;
  return {
    run: (input: Input) => {
      if (!action.isPending) action.mutate(input);
    },
    isPending: action.isPending,
    /** What it is being done to. */
    input: action.isPending ? action.variables : undefined,
    problem: failure === null ? null : explain(failure),
  };
}

type Options<Input, Data> = {
  onDone?: (data: Data, input: Input) => void;
  onFailed?: (failure: Error) => void;
  /** Null: nothing that anybody needs to be told. */
  explain?: (failure: Error) => string | null;
};
