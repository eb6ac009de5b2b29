import type { ErrorCode } from '#contract/errors.ts';
import { findProblems, type Problems } from '#web/platform/forms/problems.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { useProblems } from '#web/portal/forms/use-problems.tsx';
import { useCardAction } from '../use-card-action.ts';

type Options<Field extends string, Input, Data> = {
  fields: readonly Field[];
  act: (input: Input, idempotencyKey: string) => Promise<Data>;
  onDone: (data: Data, input: Input) => void;
  /** Fields that a refusal is about. */
  byCode?: Partial<Record<ErrorCode, Field>>;
};

/** A form in a dialog: checked here, then done, and what was refused said beside its field and above them all. */
export function useFormAction<Field extends string, Input, Data>(options: Options<Field, Input, Data>) {
  const { fields, act, onDone, byCode } = options;
  const { problems, errors, show, fieldProps } = useProblems(fields);
  const action = useCardAction(act, {
    onDone,
    onFailed: (failure) => show(findProblems(failure, fields, byCode)),
  });
  useBusyWhile(true, 'a form being filled in');

  /** Does it, unless something is wrong. */
  function submit(found: Problems<Field>, input: () => Input) {
    if (show(found)) action.run(input());
  }

  return { submit, isPending: action.isPending, errors, formProblem: problems.form, fieldProps };
}
