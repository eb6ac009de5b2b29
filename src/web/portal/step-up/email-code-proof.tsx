import { useState } from 'react';
import { useProfile } from '#web/platform/account/profile.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { ResendButton } from '../forms/resend-button.tsx';
import { DigitsForm } from './digits-form.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useProof } from './use-proof.ts';

type Sent = { temp: string; resendAt: number };

export function EmailCodeProof({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const { customer } = useProfile();
  const [sent, setSent] = useState<Sent | null>(null);
  const button = useFirstFocus<HTMLButtonElement>();
  const mail = useProof({
    onConfirmed,
    onNext: ({ temp, resendIn = RESEND_AFTER }) => setSent({ temp, resendAt: Date.now() + resendIn * 1000 }),
  });
  const send = () => mail.show({ send: 'email_code' });
  return (
    <Stack>
      {mail.problem && (
        <Notice type="alert" role="alert">
          {mail.problem}
        </Notice>
      )}
      {sent === null ? (
        <Button ref={button} block isPending={mail.isPending} pendingText="Sending…" onClick={send}>
          Send a code to {customer.email}
        </Button>
      ) : (
        <>
          <output>We sent a code to {customer.email}.</output>
          <MailedCodeForm key={sent.temp} temp={sent.temp} onConfirmed={onConfirmed} />
          <ResendButton availableAt={sent.resendAt} isPending={mail.isPending} onPress={send} />
        </>
      )}
    </Stack>
  );
}

const RESEND_AFTER = 60;

function MailedCodeForm({ temp, onConfirmed }: { temp: string; onConfirmed: (token: string) => void }) {
  const proof = useProof({ onConfirmed });
  return (
    <DigitsForm
      label="Code from the email"
      problem={proof.problem}
      isPending={proof.isPending}
      onSubmit={(code) => proof.show({ temp, code })}
    />
  );
}
