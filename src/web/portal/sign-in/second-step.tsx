import { useState } from 'react';
import { verifySecondStep } from '#contract/sign-in/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { useScreenFocus } from '../forms/use-screen-focus.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { restartIfExpired, type StepProps } from './use-sign-in.ts';

/** The second step of customers with an authenticator. */
export function SecondStep({ challenge, proceed, onRestart }: StepProps) {
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
            send={(code) => request(verifySecondStep, { body: { temp: challenge.temp, code } })}
            onDone={(outcome) => proceed(outcome)}
            onFailed={restartIfExpired(onRestart)}
          />
          {canUsePasskeys() && (
            <PasskeyButton proceed={proceed} second={{ challenge, onRestart }}>
              Use a passkey instead
            </PasskeyButton>
          )}
          <Cluster justify="between">
            <Button variant="quiet" size="small" onClick={() => setIsRecovery(!isRecovery)}>
              {isRecovery ? 'Use the authenticator' : 'Use a recovery code'}
            </Button>
            <StartOver onRestart={onRestart} />
          </Cluster>
        </Stack>
      </Card>
    </>
  );
}

/** The second step of customers with passkeys and no authenticator. */
export function PasskeyStep({ challenge, proceed, onRestart }: StepProps) {
  useScreenFocus();
  return (
    <>
      <PageHeader title="Second step" intro="Use one of your passkeys to finish signing in." />
      <Card>
        <Stack>
          {canUsePasskeys() ? (
            <PasskeyButton proceed={proceed} second={{ challenge, onRestart }} variant="primary">
              Use your passkey
            </PasskeyButton>
          ) : (
            <Notice type="warning">
              This browser does not support passkeys. Open this page in another browser.
            </Notice>
          )}
          <div>
            <StartOver onRestart={onRestart} />
          </div>
        </Stack>
      </Card>
    </>
  );
}

function StartOver({ onRestart }: Pick<StepProps, 'onRestart'>) {
  return (
    <Button variant="quiet" size="small" onClick={() => onRestart()}>
      Start over
    </Button>
  );
}
