import { useState } from 'react';
import { verifySecondStep } from '#contract/sign-in/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { restartIfExpired, type StepProps } from './step.ts';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

export function SecondStep({ attempt, proceed, onRestart }: StepProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <>
      <PageHeader
        title="Second step"
        intro={
          isRecovery
            ? 'Enter one of your recovery codes. Each works once.'
            : 'Enter the code from your authenticator app.'
        }
      />
      <Card>
        <Stack>
          <CodeForm
            key={String(isRecovery)}
            label={isRecovery ? 'Recovery code' : 'Code from your authenticator'}
            button="Sign in"
            size="large"
            isRecoveryCode={isRecovery}
            send={(code) => request(verifySecondStep, { body: { temp: attempt.temp, code } })}
            onDone={(outcome) => proceed(outcome)}
            onFailed={restartIfExpired(onRestart)}
          />
          {canUsePasskeys() && <PasskeyInstead {...{ attempt, proceed, onRestart }} />}
          <Cluster justify="between">
            <Button variant="quiet" size="small" onClick={() => setIsRecovery(!isRecovery)}>
              {isRecovery ? 'Use the authenticator' : 'Use a recovery code'}
            </Button>
            <Button variant="quiet" size="small" onClick={() => onRestart()}>
              Start over
            </Button>
          </Cluster>
        </Stack>
      </Card>
    </>
  );
}

function PasskeyInstead({ attempt, proceed, onRestart }: StepProps) {
  const second = { temp: attempt.temp, onExpired: onRestart };
  const passkey = usePasskeySignIn({ onOutcome: proceed, second });
  return <PasskeyButton {...passkey}>Use a passkey instead</PasskeyButton>;
}
