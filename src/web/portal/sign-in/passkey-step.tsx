import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useScreenFocus } from '../forms/use-screen-focus.ts';
import { PasskeyButton } from './passkey-button.tsx';
import type { StepProps } from './step.ts';
import { usePasskeySignIn } from './use-passkey-sign-in.ts';

/** The second step of who has passkeys and no authenticator. */
export function PasskeyStep({ attempt, proceed, onRestart }: StepProps) {
  useScreenFocus();
  const second = { temp: attempt.temp, onExpired: onRestart };
  const passkey = usePasskeySignIn({ onOutcome: proceed, second });
  return (
    <>
      <PageHeader title="Second step" intro="Use one of your passkeys to finish signing in." />
      <Card>
        <Stack>
          {canUsePasskeys() ? (
            <PasskeyButton {...passkey} variant="primary">
              Use your passkey
            </PasskeyButton>
          ) : (
            <Notice type="warning">
              This browser does not support passkeys. Open this page in another browser.
            </Notice>
          )}
          <div>
            <Button variant="quiet" size="small" onClick={() => onRestart()}>
              Start over
            </Button>
          </div>
        </Stack>
      </Card>
    </>
  );
}
