import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useFirstFocus } from './use-first-focus.ts';

export type DigitsFormProps = {
  label: ReactNode;
  hint?: ReactNode;
  button?: string;
  /** Why the last code was not taken. */
  problem: string | undefined;
  isPending: boolean;
  onSubmit: (code: string) => void;
};

/** A code of six digits, sent as soon as all are there. */
export function DigitsForm({
  label,
  hint,
  button = 'Confirm',
  problem,
  isPending,
  onSubmit,
}: DigitsFormProps) {
  const [code, setCode] = useState('');
  const [isShort, setIsShort] = useState(false);
  const field = useFirstFocus<HTMLInputElement>();
  useEffect(() => {
    if (problem !== undefined) field.current?.select();
  }, [problem, field]);

  function check(digits: string) {
    setIsShort(digits.length < LENGTH);
    if (digits.length === LENGTH) onSubmit(digits);
    else field.current?.focus();
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    check(code);
  }

  const error = isShort ? 'Enter all 6 digits of the code.' : problem;
  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <p role="alert" className="visually-hidden">
          {error}
        </p>
        <CodeField
          ref={field}
          label={label}
          hint={hint}
          value={code}
          onChange={setCode}
          onComplete={check}
          error={error}
        />
        <Button type="submit" block isPending={isPending} pendingText="Checking…">
          {button}
        </Button>
      </Stack>
    </form>
  );
}

const LENGTH = 6;
