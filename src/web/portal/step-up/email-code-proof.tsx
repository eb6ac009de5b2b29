import { useState } from 'react';
import { useProfile } from '#web/platform/account/profile.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { ResendButton } from '../forms/resend-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { confirmWith, explainProof, type ProofProps, sendProof } from './proof.ts';
import { useFirstFocus } from './use-first-focus.ts';

const RESEND_AFTER = 60;

export function EmailCodeProof({ onConfirmed }: ProofProps) {
  const { customer } = useProfile();
  const [sent, setSent] = useState<{ temp: string; resendAt: number } | null>(null);
  const button = useFirstFocus<HTMLButtonElement>();
  const mail = useAction(() => sendProof({ send: 'email_code' }), {
    onDone: (outcome) => {
      if ('token' in outcome) return onConfirmed(outcome.token);
      const { temp, resendIn = RESEND_AFTER } = outcome;
      setSent({ temp, resendAt: Date.now() + resendIn * 1000 });
    },
    explain: explainProof,
  });
  return (
    <Stack>
      <Problem text={mail.problem} />
      {sent === null ? (
        <Button
          ref={button}
          block
          isPending={mail.isPending}
          pendingText="Sending…"
          onClick={() => mail.run()}
        >
          Send a code to {customer.email}
        </Button>
      ) : (
        <>
          <output>We sent a code to {customer.email}.</output>
          <CodeForm
            key={sent.temp}
            label="Code from the email"
            send={(code) => sendProof({ temp: sent.temp, code })}
            onDone={confirmWith(onConfirmed)}
            onFailed={(failure) => ({ code: explainProof(failure) })}
          />
          <ResendButton availableAt={sent.resendAt} isPending={mail.isPending} onPress={() => mail.run()} />
        </>
      )}
    </Stack>
  );
}
