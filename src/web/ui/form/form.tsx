import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Problem } from '../feedback/notice.tsx';
import { Stack } from '../layout/stack.tsx';
import { ErrorSummary, type FieldError } from './error-summary.tsx';

export type FormProps = {
  form: {
    handleSubmit: (event: FormEvent) => void;
    errors: FieldError[];
    /** A problem of the whole form. */
    problem?: string | undefined;
  };
  id?: string;
  /** Above the list of problems. A form of one field has no list: the field takes the focus. */
  problemTitle?: string | undefined;
  /** The first field takes the focus when the form appears. */
  startsFocused?: boolean;
  children: ReactNode;
};

/** A form's problems, then its fields. */
export function Form({ form, id, problemTitle, startsFocused = false, children }: FormProps) {
  const { errors, problem } = form;
  const element = useRef<HTMLFormElement>(null);
  const hasSummary = problemTitle !== undefined;

  useEffect(() => {
    if (startsFocused) element.current?.querySelector<HTMLElement>(CONTROL)?.focus();
  }, [startsFocused]);
  useEffect(() => {
    const [first] = errors;
    if (hasSummary || first === undefined) return;
    const field = document.getElementById(first.fieldId);
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, [errors, hasSummary]);

  return (
    <form ref={element} id={id} noValidate onSubmit={form.handleSubmit}>
      <Stack>
        {hasSummary && <ErrorSummary title={problemTitle} errors={errors} />}
        <Problem text={problem} />
        {children}
      </Stack>
    </form>
  );
}

const CONTROL = 'input:not([hidden]), select, textarea';
