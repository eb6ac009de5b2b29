import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { DigitsForm } from './digits-form.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useProof } from './use-proof.ts';

/** A code of the authenticator, or one of the codes that were kept for the day it is lost. */
export function AuthenticatorProof({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const [usesRecovery, setUsesRecovery] = useState(false);
  const Form = usesRecovery ? RecoveryCodeForm : AuthenticatorForm;
  return (
    <Stack>
      <Form onConfirmed={onConfirmed} />
      <Button variant="quiet" block onClick={() => setUsesRecovery(!usesRecovery)}>
        {usesRecovery ? 'Use a code from your authenticator' : 'Use a recovery code'}
      </Button>
    </Stack>
  );
}

function AuthenticatorForm({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const proof = useProof({ onConfirmed });
  return (
    <DigitsForm
      label="Code from your authenticator"
      problem={proof.problem}
      isPending={proof.isPending}
      onSubmit={(code) => proof.show({ code })}
    />
  );
}

function RecoveryCodeForm({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const [isMissing, setIsMissing] = useState(false);
  const proof = useProof({ onConfirmed });
  const field = useFirstFocus<HTMLInputElement>();

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const code = field.current?.value.trim() ?? '';
    setIsMissing(code === '');
    if (code === '') field.current?.focus();
    else proof.show({ code });
  }

  const error = isMissing ? 'Enter one of your recovery codes.' : proof.problem;
  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <p role="alert" className="visually-hidden">
          {error}
        </p>
        <TextField
          ref={field}
          label="Recovery code"
          hint="One of your ten, like ABCD-EFGH-IJKL-MNOP. Each works once."
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          error={error}
        />
        <Button type="submit" block isPending={proof.isPending} pendingText="Checking…">
          Confirm
        </Button>
      </Stack>
    </form>
  );
}
