import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { signInWithPasskey } from '#contract/identity/sign-in/endpoints.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import {
  canAutofillPasskeys,
  cancelPasskeyRequest,
  isCanceled,
  type PasskeyResponse,
  reportUnknownPasskey,
  requestPasskey,
} from '#web/platform/passkeys/passkeys.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { ActionButton } from '#web/portal/parts/problem.tsx';
import type { ButtonVariant } from '#web/ui/form/button.tsx';
import type { Proceed, StepProps } from './use-sign-in.ts';

/** Milliseconds; the server accepts the response to a challenge for five minutes. */
const CHALLENGE_LIFE = 4 * 60_000;

type PasskeyButtonProps = {
  proceed: Proceed;
  /** If the passkey is the second step. */
  second?: Pick<StepProps, 'challenge' | 'onRestart'>;
  /** Also offers passkeys among the suggestions of the email field. */
  withAutofill?: boolean;
  variant?: ButtonVariant;
  children: ReactNode;
};

/** Signs in with a passkey. */
export function PasskeyButton({
  proceed,
  second,
  withAutofill = false,
  variant = 'secondary',
  children,
}: PasskeyButtonProps) {
  const signIn = useAction(
    async (chosen: PasskeyResponse | null) => {
      const passkey = chosen ?? (await requestPasskey());
      const { temp, response } = passkey;
      const first = second === undefined ? {} : { firstTemp: second.challenge.temp };
      return request(signInWithPasskey, { body: { temp, response, ...first } }).catch((failure) => {
        if (hasErrorCode(failure, 'unknown_credential')) void reportUnknownPasskey(passkey);
        throw failure;
      });
    },
    {
      onDone: (outcome) => proceed(outcome),
      onFailed: (failure) => {
        if (second && hasErrorCode(failure, 'attempt_expired')) second.onRestart(errorText(failure));
        else renewSuggestions();
      },
      explain: explainFailure,
    },
  );
  const renewSuggestions = useSuggestions(withAutofill, signIn.run);
  useBusyWhile(signIn.isPending, 'a passkey being asked for');
  useEffect(() => cancelPasskeyRequest, []);
  return (
    <ActionButton action={{ ...signIn, run: () => signIn.run(null) }} variant={variant} block icon="key">
      {children}
    </ActionButton>
  );
}

function explainFailure(failure: Error): string {
  // Browsers do not say whether the customer closed the dialog, or the device refused.
  if (isCanceled(failure)) return 'No passkey was used. You can try again, or sign in another way.';
  const hasText = failure instanceof ApiError || 'error' in failure;
  return hasText
    ? errorText(failure)
    : 'That passkey could not be used here. Please try another way to sign in.';
}

/** Waits for a passkey chosen among the suggestions. The returned function waits again, with a new challenge. */
function useSuggestions(isEnabled: boolean, onChosen: (passkey: PasskeyResponse) => void): () => void {
  const [round, setRound] = useState(0);
  const choose = useEffectEvent(onChosen);
  const renew = () => setRound((count) => count + 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round waits again
  useEffect(() => {
    if (!isEnabled) return;
    let isOver = false;
    const startedAt = Date.now();
    async function wait() {
      if (!(await canAutofillPasskeys()) || isOver) return;
      // Failures need no message: the button remains.
      const passkey = await requestPasskey({ isAutofill: true }).catch(() => null);
      if (passkey !== null && !isOver) choose(passkey);
    }
    function renewOld() {
      if (document.visibilityState === 'visible' && Date.now() - startedAt > CHALLENGE_LIFE) renew();
    }
    void wait();
    document.addEventListener('visibilitychange', renewOld);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', renewOld);
      cancelPasskeyRequest();
    };
  }, [isEnabled, round]);

  return renew;
}
