import { useState } from 'react';
import { signInWithEmailCode } from '#contract/sign-in/endpoints.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { isInstalled } from '#web/platform/install/device.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { ResendEmail, SentEmailHeader } from '../forms/resend-email.tsx';
import { restartIfExpired, type StepProps } from './use-sign-in.ts';

export function MailedCodeStep({ challenge, proceed, onRestart }: StepProps) {
  const { temp, email } = challenge;
  const [refusedUntil, setRefusedUntil] = useState(0);
  const resend = useAction(() => request(signInWithEmailCode, { body: { temp } }), {
    onDone: (outcome) => proceed(outcome, { email }),
    onFailed: (failure) => {
      restartIfExpired(onRestart)(failure);
      if (failure instanceof ApiError && failure.retryAfter !== null) {
        setRefusedUntil(Date.now() + failure.retryAfter * 1000);
      }
    },
    explain: (failure) =>
      hasErrorCode(failure, 'rate_limited')
        ? 'We cannot send another email right now. The last one still works.'
        : errorText(failure),
  });
  return (
    <>
      <SentEmailHeader email={email}>
        {isInstalled()
          ? 'Enter the code here. The link may open your browser instead of this app.'
          : 'Enter the code here, or open the link on this device.'}
      </SentEmailHeader>
      <Card>
        <CodeForm
          label="6-digit code"
          button="Sign in"
          size="large"
          send={(code) => request(signInWithEmailCode, { body: { temp, code } })}
          onDone={(outcome) => proceed(outcome, { email, isByMail: true })}
          onFailed={restartIfExpired(onRestart)}
        >
          <ResendEmail
            resend={resend}
            availableAt={challenge.resendAt === null ? null : Math.max(challenge.resendAt, refusedUntil)}
            onBack={() => onRestart()}
          />
        </CodeForm>
      </Card>
    </>
  );
}
