import { useMutation } from '@tanstack/react-query';
import { explainFailure } from './problems.ts';
import { runWithStepUp, StepUpCanceled } from './step-up.ts';

export type ActionOptions<Input, Data> = {
  /** The action stays pending until this resolves; what it throws is shown. */
  onDone?: ((data: Data, input: Input) => unknown) | undefined;
  onFailed?: ((failure: Error) => void) | undefined;
  /** After success, failure and a canceled step-up. */
  onSettled?: (() => void) | undefined;
  /** The text to show for a failure; null for none. */
  explain?: (failure: Error) => string | null;
};

/** Runs one call at a time, with a step-up where the server requires one. */
export function useAction<Input = void, Data = unknown>(
  act: (input: Input) => Data | Promise<Data>,
  { onDone, onFailed, onSettled, explain = explainFailure }: ActionOptions<Input, Data> = {},
) {
  const action = useMutation({
    mutationFn: (input: Input) => runWithStepUp(async () => act(input)),
    onSuccess: (data, input) => onDone?.(data, input),
    onError: (failure) => {
      if (!(failure instanceof StepUpCanceled)) onFailed?.(failure);
    },
    onSettled: () => onSettled?.(),
  });
  const failure = action.error instanceof StepUpCanceled ? null : action.error;
  return {
    run: (input: Input) => {
      if (!action.isPending) action.mutate(input);
    },
    isPending: action.isPending,
    isDone: action.isSuccess,
    /** The input of the call under way. */
    input: action.isPending ? action.variables : undefined,
    failure,
    /** The text to show for the last failure. */
    problem: failure === null ? null : explain(failure),
  };
}
