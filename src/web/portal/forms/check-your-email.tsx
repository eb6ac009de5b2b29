import { type ReactNode, useState } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { ApiError } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { mailSiteOf } from './mail-site.ts';
import { NarrowPage } from './narrow-page.tsx';
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
  const resend = useAction(send, {
    onDone: () => setResendAt(Date.now() + RESEND_AFTER_MS),
    onFailed: (failure) => {
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
            <Problem text={resend.problem} />
            {resend.isDone && (
              <Notice type="success" role="status">
                We sent another email. Use the newest one.
              </Notice>
            )}
            <Cluster justify="between">
              <ResendButton
                availableAt={resendAt}
                isPending={resend.isPending}
                onPress={() => resend.run()}
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
