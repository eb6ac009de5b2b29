import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ActionButton } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import {
  canAutofillPasskeys,
  cancelPasskeyRequest,
  isCanceled,
  type PasskeyChallenge,
  type PasskeyResponse,
  reportUnknownPasskey,
  requestPasskey,
} from '#web/platform/passkeys/passkeys.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import type { ButtonVariant } from '#web/ui/form/button.tsx';

/** Milliseconds; the server accepts the response to a challenge for five minutes. */
const CHALLENGE_LIFE = 4 * 60_000;

type PasskeyButtonProps<Data> = {
  /** That of customers by default. */
  challenge?: PasskeyChallenge;
  /** Sends the passkey to the server. */
  send: (passkey: PasskeyResponse) => Promise<Data>;
  onDone: (data: Data) => unknown;
  /** Returns true if it leaves the screen. */
  onFailed?: (failure: Error) => boolean;
  /** Also offers passkeys among the suggestions of the email field. */
  withAutofill?: boolean;
  variant?: ButtonVariant;
  children: ReactNode;
};

/** Proves with a passkey who someone is. */
export function PasskeyButton<Data>(props: PasskeyButtonProps<Data>) {
  const { challenge, send, onDone, onFailed, withAutofill = false, variant = 'secondary', children } = props;
  const ask = (isAutofill: boolean) => requestPasskey({ isAutofill, ...(challenge && { challenge }) });
  const prove = useAction(
    async (chosen: PasskeyResponse | null) => {
      const passkey = chosen ?? (await ask(false));
      return send(passkey).catch((failure) => {
        if (hasErrorCode(failure, 'unknown_credential')) void reportUnknownPasskey(passkey);
        throw failure;
      });
    },
    {
      onDone,
      onFailed: (failure) => {
        if (!onFailed?.(failure)) renewSuggestions();
      },
      explain: explainFailure,
    },
  );
  const renewSuggestions = useSuggestions(withAutofill, () => ask(true), prove.run);
  useBusyWhile(prove.isPending, 'a passkey being asked for');
  useEffect(() => cancelPasskeyRequest, []);
  return (
    <ActionButton action={{ ...prove, run: () => prove.run(null) }} variant={variant} block icon="key">
      {children}
    </ActionButton>
  );
}

function explainFailure(failure: Error): string {
  // Browsers do not say whether the customer closed the dialog, or the device refused.
  if (isCanceled(failure)) return t('No passkey was used. You can try again, or sign in another way.');
  const hasText = failure instanceof ApiError || 'error' in failure;
  return hasText
    ? errorText(failure)
    : t('That passkey could not be used here. Please try another way to sign in.');
}

/** Waits for a passkey chosen among the suggestions. The returned function waits again, with a new challenge. */
function useSuggestions(
  isEnabled: boolean,
  ask: () => Promise<PasskeyResponse>,
  onChosen: (passkey: PasskeyResponse) => void,
): () => void {
  const [round, setRound] = useState(0);
  const choose = useEffectEvent(onChosen);
  const request = useEffectEvent(ask);
  const renew = () => setRound((count) => count + 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round waits again
  useEffect(() => {
    if (!isEnabled) return;
    let isOver = false;
    const startedAt = Date.now();
    async function wait() {
      if (!(await canAutofillPasskeys()) || isOver) return;
      // Failures need no message: the button remains.
      const passkey = await request().catch(() => null);
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
