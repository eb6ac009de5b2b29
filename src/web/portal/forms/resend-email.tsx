import type { ReactNode } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { ResendButton } from './resend-button.tsx';

/** `children` say what to do with the email. */
export function SentEmailHeader({ email, children }: { email: string; children: ReactNode }) {
  return (
    <PageHeader
      title="Check your email"
      intro={
        <>
          We sent an email to{' '}
          <strong>
            <EmailAddress>{email}</EmailAddress>
          </strong>
          . {children}
        </>
      }
    />
  );
}

type ResendEmailProps = {
  resend: { run: () => void; isPending: boolean; isDone: boolean; problem: string | null };
  /** Milliseconds since 1970; null if no more email can be sent. */
  availableAt: number | null;
  onBack: () => void;
};

/** Sends the email again, or leads back to the address. */
export function ResendEmail({ resend, availableAt, onBack }: ResendEmailProps) {
  return (
    <>
      <Problem text={resend.problem} />
      {resend.isDone && (
        <Notice type="success" role="status">
          We sent another email. Use the newest one.
        </Notice>
      )}
      <Cluster justify="between">
        <ResendButton availableAt={availableAt} isPending={resend.isPending} onPress={() => resend.run()} />
        <Button variant="quiet" size="small" onClick={onBack}>
          Use another address
        </Button>
      </Cluster>
    </>
  );
}
