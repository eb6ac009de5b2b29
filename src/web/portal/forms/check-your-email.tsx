import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { ApiError } from '#web/platform/api/api-error.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { mailSiteOf } from './mail-site.ts';
import { NarrowPage } from './narrow-page.tsx';
import { problemsOf } from './problems.ts';
import { ResendButton } from './resend-button.tsx';
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

/** The same whether or not the address has an account: only the email says more. */
export function CheckYourEmail({ email, instruction, send, onBack, children }: CheckYourEmailProps) {
  useScreenFocus();
  const [resendAt, setResendAt] = useState(() => Date.now() + RESEND_AFTER_MS);
  const resend = useMutation({
    mutationFn: send,
    onSuccess: () => setResendAt(Date.now() + RESEND_AFTER_MS),
    onError: (failure) => {
      if (failure instanceof ApiError && failure.retryAfter !== null) {
        setResendAt(Date.now() + failure.retryAfter * 1000);
      }
    },
  });
  const site = mailSiteOf(email);
  return (
    <NarrowPage>
      <PageHeader
        title="Check your email"
        intro={
          <>
            We sent an email to{' '}
            <strong>
              <EmailAddress>{email}</EmailAddress>
            </strong>
            . {instruction}
          </>
        }
      />
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
            {resend.isError && (
              <Notice type="alert" role="alert">
                {problemsOf(resend.error, []).form}
              </Notice>
            )}
            {resend.isSuccess && (
              <Notice type="success" role="status">
                We sent another email. Use the newest one.
              </Notice>
            )}
            <Cluster justify="between">
              <ResendButton
                availableAt={resendAt}
                isPending={resend.isPending}
                onPress={() => resend.mutate()}
              />
              <Button variant="quiet" size="small" onClick={onBack}>
                Use another address
              </Button>
            </Cluster>
          </Stack>
        </Card>
        {children}
      </Stack>
    </NarrowPage>
  );
}
