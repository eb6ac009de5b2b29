import { useId, useState } from 'react';
import type { Problems } from '#web/platform/forms/problems.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ErrorSummary, type FieldError } from '#web/ui/form/error-summary.tsx';

/** Ids, messages and summary of a form's fields, from what is wrong with them. */
export function useProblems<Field extends string>(fields: readonly Field[]) {
  const base = useId();
  const [problems, setProblems] = useState<Problems<Field>>({});
  // Made anew by each attempt only: the summary takes the focus whenever it gets another list.
  const [errors, setErrors] = useState<FieldError[]>([]);
  const idOf = (field: Field) => `${base}-${field}`;

  /** False when there is anything to show. */
  function show(found: Problems<Field>): boolean {
    setProblems(found);
    setErrors(
      fields.flatMap((field) => {
        const message: string | undefined = found[field];
        return message === undefined ? [] : { fieldId: idOf(field), message };
      }),
    );
    return Object.keys(found).length === 0;
  }

  /** What is being corrected is wrong no more, until the next attempt says so. */
  const forgive = (field: Field) => {
    if (problems[field] === undefined) return;
    const { [field]: _, ...others } = problems;
    setProblems(others as Problems<Field>);
  };
  const fieldProps = (field: Field) => ({
    id: idOf(field),
    name: field,
    error: problems[field],
    onInput: () => forgive(field),
  });
  return { problems, errors, show, fieldProps };
}

type ProblemListProps = { title: string; errors: FieldError[]; form: string | undefined };

export function ProblemList({ title, errors, form }: ProblemListProps) {
  return (
    <>
      <ErrorSummary title={title} errors={errors} />
      {form !== undefined && (
        <Notice type="alert" role="alert">
          {form}
        </Notice>
      )}
    </>
  );
}
