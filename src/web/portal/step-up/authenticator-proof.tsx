import { useState } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { confirmWith, explainProof, type ProofProps, sendProof } from './proof.ts';

/** A code from the authenticator, or a recovery code. */
export function AuthenticatorProof({ onConfirmed }: ProofProps) {
  const [usesRecovery, setUsesRecovery] = useState(false);
  return (
    <Stack>
      <CodeForm
        key={String(usesRecovery)}
        {...(usesRecovery ? RECOVERY_CODE : { label: 'Code from your authenticator' })}
        send={(code) => sendProof({ code })}
        onDone={confirmWith(onConfirmed)}
        onFailed={(failure) => ({ code: explainProof(failure) })}
      />
      <Button variant="quiet" block onClick={() => setUsesRecovery(!usesRecovery)}>
        {usesRecovery ? 'Use a code from your authenticator' : 'Use a recovery code'}
      </Button>
    </Stack>
  );
}

const RECOVERY_CODE = {
  label: 'Recovery code',
  hint: 'One of your ten, like ABCD-EFGH-IJKL-MNOP. Each works once.',
  isRecoveryCode: true,
};
