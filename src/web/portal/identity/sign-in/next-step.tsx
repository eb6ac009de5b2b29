import { useState } from 'react';
import { signInWithEmailCode, verifySecondStep } from '#contract/identity/sign-in/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { FormPage, SentEmailPage, useScreenFocus } from '#web/features/identity/form-page.tsx';
import { findRetryTime } from '#web/features/mailed-code/resend-button.tsx';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { isInstalled } from '#web/platform/install/device.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { ResendEmail } from '../forms/resend-email.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { restartIfExpired, type StepProps } from './use-sign-in.ts';

/** The form of the step that a sign-in waits for. */
export function NextStep(props: StepProps) {
  const Step = STEPS[props.challenge.next];
  return <Step key={props.challenge.temp} {...props} />;
}

const STEPS = { email_code: MailedCodeStep, authenticator: AuthenticatorStep, passkey: PasskeyStep };

function MailedCodeStep({ challenge, proceed, onRestart }: StepProps) {
  const { temp, email } = challenge;
  const [refusedUntil, setRefusedUntil] = useState(0);
  const resend = useAction(() => request(signInWithEmailCode, { body: { temp } }), {
    onDone: (outcome) => proceed(outcome, { email }),
    onFailed: (failure) => {
      restartIfExpired(onRestart)(failure);
      setRefusedUntil(findRetryTime(failure) ?? refusedUntil);
    },
    explain: (failure) =>
      hasErrorCode(failure, 'rate_limited')
        ? t('We cannot send another email right now. The last one still works.')
        : errorText(failure),
  });
  return (
    <SentEmailPage
      email={email}
      instruction={t(
        isInstalled()
          ? 'Enter the code here. The link may open your browser instead of this app.'
          : 'Enter the code here, or open the link on this device.',
      )}
    >
      <CodeForm
        label={t('6-digit code')}
        button={t('Sign in')}
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
    </SentEmailPage>
  );
}

/** The second step of customers with an authenticator. */
function AuthenticatorStep({ challenge, proceed, onRestart }: StepProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <FormPage
      title={t('Second step')}
      intro={t(
        isRecovery
          ? 'Enter one of your recovery codes. Each works once.'
          : 'Enter the code from your authenticator app.',
      )}
    >
      <Stack>
        <CodeForm
          key={String(isRecovery)}
          label={t(isRecovery ? 'Recovery code' : 'Code from your authenticator')}
          button={t('Sign in')}
          size="large"
          isRecoveryCode={isRecovery}
          send={(code) => request(verifySecondStep, { body: { temp: challenge.temp, code } })}
          onDone={(outcome) => proceed(outcome)}
          onFailed={restartIfExpired(onRestart)}
        />
        {canUsePasskeys() && (
          <PasskeySignIn proceed={proceed} second={{ challenge, onRestart }}>
            {t('Use a passkey instead')}
          </PasskeySignIn>
        )}
        <Cluster justify="between">
          <Button variant="quiet" size="small" onClick={() => setIsRecovery(!isRecovery)}>
            {t(isRecovery ? 'Use the authenticator' : 'Use a recovery code')}
          </Button>
          <StartOver onRestart={onRestart} />
        </Cluster>
      </Stack>
    </FormPage>
  );
}

/** The second step of customers with passkeys and no authenticator. */
function PasskeyStep({ challenge, proceed, onRestart }: StepProps) {
  useScreenFocus();
  return (
    <FormPage title={t('Second step')} intro={t('Use one of your passkeys to finish signing in.')}>
      <Stack>
        {canUsePasskeys() ? (
          <PasskeySignIn proceed={proceed} second={{ challenge, onRestart }} variant="primary">
            {t('Use your passkey')}
          </PasskeySignIn>
        ) : (
          <Notice type="warning">
            {t('This browser does not support passkeys. Open this page in another browser.')}
          </Notice>
        )}
        <StartOver onRestart={onRestart} />
      </Stack>
    </FormPage>
  );
}

function StartOver({ onRestart }: Pick<StepProps, 'onRestart'>) {
  return (
    <Button variant="quiet" size="small" onClick={() => onRestart()}>
      {t('Start over')}
    </Button>
  );
}
