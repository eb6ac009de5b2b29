import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInWithEmailCode } from '#contract/sign-in/endpoints.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';

import { isInstalled } from '#web/platform/install/device.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { ResendButton } from '../forms/resend-button.tsx';
import { restartIfExpired, type StepProps } from './step.ts';

export function MailedCodeStep({ attempt, proceed, onRestart }: StepProps) {
  const { temp, email } = attempt;
  const { resend, resendAt } = useResend({ attempt, proceed, onRestart });
  return (
    <>
      <PageHeader
        title="Check your email"
        intro={
          <>
            We sent an email to{' '}
            <strong>
              <EmailAddress>{email}</EmailAddress>
            </strong>
            .{' '}
            {isInstalled()
              ? 'Enter the code here. The link may open your browser instead of this app.'
              : 'Enter the code here, or open the link on this device.'}
          </>
        }
      />
      <Card>
        <CodeForm
          label="6-digit code"
          button="Sign in"
          size="large"
          send={(code) => request(signInWithEmailCode, { body: { temp, code } })}
          onDone={(outcome) => proceed(outcome, { email, isByMail: true })}
          onFailed={restartIfExpired(onRestart)}
        >
          <ResendNotice isSent={resend.isSuccess} failure={resend.error} />
          <Cluster justify="between">
            <ResendButton
              availableAt={resendAt}
              isPending={resend.isPending}
              onPress={() => resend.mutate()}
            />
            <Button variant="quiet" size="small" onClick={() => onRestart()}>
              Use another address
            </Button>
          </Cluster>
        </CodeForm>
      </Card>
    </>
  );
}

/** As often as the server lets us: it says when after each mail, and when it refuses one. */
function useResend({ attempt, proceed, onRestart }: StepProps) {
  const { temp, email } = attempt;
  const [refusedUntil, setRefusedUntil] = useState(0);
  const resend = useMutation({
    mutationFn: () => request(signInWithEmailCode, { body: { temp } }),
    onSuccess: (outcome) => proceed(outcome, { email }),
    onError: (failure) => {
      if (hasErrorCode(failure, 'attempt_expired')) onRestart(errorText(failure));
      else if (failure instanceof ApiError && failure.retryAfter !== null) {
        setRefusedUntil(Date.now() + failure.retryAfter * 1000);
      }
    },
  });
  const resendAt = attempt.resendAt === null ? null : Math.max(attempt.resendAt, refusedUntil);
  return { resend, resendAt };
}

function ResendNotice({ isSent, failure }: { isSent: boolean; failure: Error | null }) {
  if (failure !== null) {
    return (
      <Notice type="alert" role="alert">
        {hasErrorCode(failure, 'rate_limited')
          ? 'We cannot send another email right now. The last one still works.'
          : errorText(failure)}
      </Notice>
    );
  }
  if (!isSent) return null;
  return (
    <Notice type="success" role="status">
      We sent another email. Use the newest one.
    </Notice>
  );
}
