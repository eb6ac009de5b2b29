import { type ReactNode, useState } from 'react';
import { ApiError } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { findMailSite } from './mail-site.ts';
import { NarrowPage } from './narrow-page.tsx';
import { ResendEmail, SentEmailHeader } from './resend-email.tsx';
import { useScreenFocus } from './use-screen-focus.ts';

const RESEND_AFTER_MS = 60_000;

type CheckYourEmailProps = {
  email: string;
  /** What to do with the email, as a sentence. */
  instruction: string;
  /** Sends the email again. */
  send: () => Promise<unknown>;
  onBack: () => void;
  /** Below the card. */
  children?: ReactNode;
};

/** Looks the same whether or not the address has an account, which only the email reveals. */
export function CheckYourEmail({ email, instruction, send, onBack, children }: CheckYourEmailProps) {
  useScreenFocus();
  const [resendAt, setResendAt] = useState(() => Date.now() + RESEND_AFTER_MS);
  const resend = useAction(send, {
    onDone: () => setResendAt(Date.now() + RESEND_AFTER_MS),
    onFailed: (failure) => {
      if (failure instanceof ApiError && failure.retryAfter !== null) {
        setResendAt(Date.now() + failure.retryAfter * 1000);
      }
    },
  });
  const site = findMailSite(email);
  return (
    <NarrowPage>
      <SentEmailHeader email={email}>{instruction}</SentEmailHeader>
      <Stack>
        <Card title="No email yet?">
          <Stack>
            <p>
              It can take a minute. Check your spam folder too.{' '}
              {site && (
                <a href={site.url} target="_blank" rel="noreferrer">
                  Open {site.name}
                </a>
              )}
            </p>
            <ResendEmail resend={resend} availableAt={resendAt} onBack={onBack} />
          </Stack>
        </Card>
        {children}
      </Stack>
    </NarrowPage>
  );
}
