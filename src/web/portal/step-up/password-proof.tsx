import { type FormEvent, useState } from 'react';
import { useProfile } from '#web/platform/account/profile.ts';
import { Button } from '#web/ui/form/button.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useProof } from './use-proof.ts';

export function PasswordProof({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const { customer } = useProfile();
  const [isMissing, setIsMissing] = useState(false);
  const proof = useProof({ onConfirmed });
  const field = useFirstFocus<HTMLInputElement>();

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = field.current?.value ?? '';
    setIsMissing(password === '');
    if (password === '') field.current?.focus();
    else proof.show({ password });
  }

  const error = isMissing ? 'Enter your password.' : proof.problem;
  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        {/* Password managers look here for whose password is wanted. */}
        <input type="email" autoComplete="username" value={customer.email} readOnly hidden />
        <p role="alert" className="visually-hidden">
          {error}
        </p>
        <PasswordField ref={field} label="Password" name="password" required error={error} />
        <Button type="submit" block isPending={proof.isPending} pendingText="Checking…">
          Confirm
        </Button>
      </Stack>
    </form>
  );
}
