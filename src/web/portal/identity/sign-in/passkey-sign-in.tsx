import type { ReactNode } from 'react';
import { signInWithPasskey } from '#contract/identity/sign-in/endpoints.ts';
import { PasskeyButton } from '#web/features/identity/passkey-button.tsx';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { ButtonVariant } from '#web/ui/form/button.tsx';
import type { Proceed, StepProps } from './use-sign-in.ts';

type PasskeySignInProps = {
  proceed: Proceed;
  /** If the passkey is the second step. */
  second?: Pick<StepProps, 'challenge' | 'onRestart'>;
  withAutofill?: boolean;
  variant?: ButtonVariant;
  children: ReactNode;
};

/** Signs in with a passkey. */
export function PasskeySignIn({ proceed, second, ...button }: PasskeySignInProps) {
  const first = second === undefined ? {} : { firstTemp: second.challenge.temp };
  return (
    <PasskeyButton
      {...button}
      send={({ temp, response }) => request(signInWithPasskey, { body: { temp, response, ...first } })}
      onDone={(outcome) => proceed(outcome)}
      onFailed={(failure) => {
        const isOver = second !== undefined && hasErrorCode(failure, 'attempt_expired');
        if (isOver) second.onRestart(errorText(failure));
        return isOver;
      }}
    />
  );
}
