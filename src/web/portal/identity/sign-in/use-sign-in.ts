import { useEffect, useState } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { readChosenLanguage } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { SignInOutcome } from '#web/platform/api/types.ts';
import { readStored, writeStored } from '#web/platform/browser-storage.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { goTo } from '#web/platform/router/navigation.ts';
import { leaveFor, readToken, startSession } from '#web/platform/session/session.ts';
import { takeReturnPath } from './return-path.ts';
import {
  createChallenge,
  deleteChallenge,
  findChallenge,
  type SignInChallenge,
  saveChallenge,
} from './sign-in-challenge.ts';

const OFFERED_KEY = 'passkey-offered';

/** Continues with the next step or, once signed in, with the page that required it. Resolves when that is shown. */
export type Proceed = (
  outcome: SignInOutcome,
  about?: { email?: string; isByMail?: boolean },
) => Promise<void>;

export type StepProps = {
  challenge: SignInChallenge;
  proceed: Proceed;
  /** Goes back to the first step; `message` says why if the customer did not choose to. */
  onRestart: (message?: string) => void;
};

/** A sign-in from its first step on. `challenge` is null before the first response. */
export function useSignIn({ resumes }: { resumes: boolean }) {
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState(() => (resumes ? findChallenge() : null));
  useLeaveWhenSignedIn(challenge !== null);

  const proceed: Proceed = async (outcome, { email = '', isByMail = false } = {}) => {
    if ('token' in outcome) return finish(outcome.token, isByMail);
    const next = createChallenge(outcome, email);
    saveChallenge(next);
    setChallenge(next);
  };

  async function finish(token: string, isByMail: boolean) {
    deleteChallenge();
    startSession(token);
    if (readToken() !== token) throw new CookiesBlockedError();
    await applyAccountLanguage();
    await leaveSignIn(navigate);
    if (isByMail) offerPasskey();
  }

  function restart() {
    deleteChallenge();
    setChallenge(null);
  }

  return { challenge, proceed, restart };
}

/** For a form's `onFailed`: goes back to the first step if this one has expired. */
export function restartIfExpired(onRestart: StepProps['onRestart']) {
  return (failure: Error) => {
    if (!hasErrorCode(failure, 'attempt_expired')) return undefined;
    onRestart(errorText(failure));
    return {};
  };
}

/** Leaves a screen that waits for a mail once the mailed link, opened in another tab, has signed this browser in. */
export function useLeaveWhenSignedIn(isWaiting: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isWaiting) return;
    function leaveIfSignedIn() {
      if (document.visibilityState !== 'visible' || readToken() === null) return;
      deleteChallenge();
      void leaveSignIn(navigate);
    }
    document.addEventListener('visibilitychange', leaveIfSignedIn);
    return () => document.removeEventListener('visibilitychange', leaveIfSignedIn);
  }, [isWaiting, navigate]);
}

async function applyAccountLanguage(): Promise<void> {
  try {
    const { loadAccountLanguage } = await import('#web/features/site/account-language.ts');
    await loadAccountLanguage();
  } catch {
    // Pages stay in their language.
  }
}

/** Shows the page that required the sign-in, as a new document if the customer's pages are in another language. */
async function leaveSignIn(navigate: NavigateFunction): Promise<void> {
  const path = takeReturnPath();
  const language = readChosenLanguage(document.cookie);
  if (language === null || language === pageLanguage()) await navigate(path, { replace: true });
  else leaveFor(path);
}

/** Once per device. */
function offerPasskey(): void {
  if (!canUsePasskeys() || readStored(OFFERED_KEY) !== null) return;
  if (!writeStored(OFFERED_KEY, 'true')) return;
  notify(t('Add a passkey to sign in with your fingerprint, face or PIN next time.'), {
    callback: () => goTo(portalPages.security),
    callbackLabel: t('Add a passkey'),
  });
}

/** The next page would lead back to this one. */
class CookiesBlockedError extends Error {
  get error(): string {
    return t('Your browser blocked the sign-in. Allow cookies for this site and try again.');
  }
}
