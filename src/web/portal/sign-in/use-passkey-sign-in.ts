import { useEffect, useEffectEvent, useState } from 'react';
import { signInWithPasskey } from '#contract/sign-in/endpoints.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';

import type { SignInOutcome } from '#web/platform/api/types.ts';
import {
  canAutofillPasskeys,
  cancelPasskeyRequest,
  isCancelled,
  type PasskeyResponse,
  reportUnknownPasskey,
  requestPasskey,
} from '#web/platform/passkeys/passkeys.ts';

import { useBusyWhile } from '#web/platform/updates/busy.ts';

type PasskeyOptions = {
  /** The button stays pending until this resolves; what it throws is shown. */
  onOutcome: (outcome: SignInOutcome) => Promise<void>;
  /** As the second step: the handle of the first, and what happens when that has run out. */
  second?: { temp: string; onExpired: (message: string) => void };
  /** Offers passkeys among the suggestions of the email field too. */
  withAutofill?: boolean;
};

export type PasskeySignIn = { ask: () => void; isPending: boolean; problem: string | null };

const UNUSABLE = 'That passkey could not be used here. Please try another way to sign in.';
/** Milliseconds; the server takes the answer to a challenge for five minutes. */
const CHALLENGE_LIFE = 4 * 60_000;

/** Signing in with a passkey: by a button, and where asked for by the browser's suggestions. */
export function usePasskeySignIn({ onOutcome, second, withAutofill = false }: PasskeyOptions): PasskeySignIn {
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const renewSuggestions = useSuggestions(withAutofill, (passkey) => void signInWith(passkey));
  useBusyWhile(isPending, 'a passkey being asked for');
  useEffect(() => cancelPasskeyRequest, []);

  async function ask() {
    if (isPending) return;
    setIsPending(true);
    setProblem(null);
    try {
      await signInWith(await requestPasskey());
    } catch (failure) {
      const text = failure instanceof ApiError ? errorText(failure) : UNUSABLE;
      giveUp(isCancelled(failure) ? null : text);
    }
  }

  async function signInWith(passkey: PasskeyResponse) {
    setIsPending(true);
    const { temp, response } = passkey;
    try {
      const first = second === undefined ? {} : { firstTemp: second.temp };
      await onOutcome(await request(signInWithPasskey, { body: { temp, response, ...first } }));
      setIsPending(false);
    } catch (failure) {
      if (hasErrorCode(failure, 'unknown_credential')) void reportUnknownPasskey(passkey);
      if (hasErrorCode(failure, 'attempt_expired') && second) second.onExpired(errorText(failure));
      else giveUp(errorText(failure));
    }
  }

  function giveUp(text: string | null) {
    setProblem(text);
    setIsPending(false);
    renewSuggestions();
  }

  return { ask: () => void ask(), isPending, problem };
}

/** Waits for a passkey chosen among the suggestions; the answered function waits anew, with a new challenge. */
function useSuggestions(isWanted: boolean, onChosen: (passkey: PasskeyResponse) => void): () => void {
  const [round, setRound] = useState(0);
  const choose = useEffectEvent(onChosen);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round waits anew
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    const startedAt = Date.now();
    async function wait() {
      if (!(await canAutofillPasskeys()) || isOver) return;
      // Suggestions are an extra: whatever goes wrong with them, the button is there.
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
  }, [isWanted, round]);

  const renew = () => setRound((count) => count + 1);
  return renew;
}
