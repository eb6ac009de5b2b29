import { type FormEvent, type ReactNode, useEffect, useId } from 'react';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { CodeStep } from './use-code-step.ts';

type CodeFormProps = { step: CodeStep; label: ReactNode; isRecoveryCode?: boolean; children?: ReactNode };

/** One field and its button. Six digits are sent as soon as they are there, pasted or filled in. */
export function CodeForm({ step, label, isRecoveryCode = false, children }: CodeFormProps) {
  const { code, change, submit, problems, isPending } = step;
  const fieldId = useId();

  // Whoever comes here has one thing to do; after a wrong code they do it again.
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    if (problems.code !== undefined) field.select();
  }, [fieldId, problems]);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    submit(code);
  }

  const field = { id: fieldId, label, error: problems.code };
  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <p role="alert" className="visually-hidden">
          {problems.code}
        </p>
        {problems.form && (
          <Notice type="alert" role="alert">
            {problems.form}
          </Notice>
        )}
        {isRecoveryCode ? (
          <TextField
            {...field}
            name="recovery-code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            value={code}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <CodeField {...field} value={code} onChange={change} onComplete={submit} />
        )}
        <Button type="submit" size="large" block isPending={isPending} pendingText="Checking…">
          Sign in
        </Button>
        {children}
      </Stack>
    </form>
  );
}
