import { useState } from 'react';
import { useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import type { SignInOutcome } from '#web/platform/api/types.ts';
import { readStored, writeStored } from '#web/platform/browser-storage.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { goTo } from '#web/platform/router/navigation.ts';
import { readToken, startSession } from '#web/platform/session/session.ts';
import { type Attempt, attemptOf, findAttempt, forgetAttempt, keepAttempt } from './attempt.ts';
import { takeReturnPath } from './return-path.ts';
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts';

const OFFERED_KEY = 'passkey-offered';

/** One sign-in, from its first step to the page that asked for it. */
export type SignInFlow = {
  /** Null while nothing was sent yet. */
  attempt: Attempt | null;
  /**
   * Takes up what the server said: the next step, or the session. Resolves when the next page is there; a failure is
   * for the form to show.
   */
  proceed: (outcome: SignInOutcome, about?: { email?: string; isByMail?: boolean }) => Promise<void>;
  /** Goes back to the first step. */
  restart: () => void;
};

export function useSignIn({ resumes }: { resumes: boolean }): SignInFlow {
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState<Attempt | null>(() => (resumes ? findAttempt() : null));

  async function proceed(outcome: SignInOutcome, { email = '', isByMail = false } = {}) {
    if ('token' in outcome) return finish(outcome.token, isByMail);
    const next = attemptOf(outcome, email);
    keepAttempt(next);
    setAttempt(next);
  }

  async function finish(token: string, isByMail: boolean) {
    forgetAttempt();
    startSession(token);
    if (readToken() !== token) throw new SessionNotKept();
    await navigate(takeReturnPath(), { replace: true });
    if (isByMail) offerPasskey();
  }

  function restart() {
    forgetAttempt();
    setAttempt(null);
  }

  useLeaveWhenSignedIn(attempt !== null);

  return { attempt, proceed, restart };
}

/** Once on each device: who does not care for it is not asked again. */
function offerPasskey(): void {
  if (!canUsePasskeys() || readStored(OFFERED_KEY) !== null) return;
  if (!writeStored(OFFERED_KEY, 'true')) return;
  notify('Add a passkey to sign in with your fingerprint, face or PIN next time.', {
    callback: () => goTo(portalPages.security),
    callbackLabel: 'Add a passkey',
  });
}

/** Without the cookie the next page would lead back to this one. */
class SessionNotKept extends Error {
  readonly error = 'Your browser blocked the sign-in. Allow cookies for this site and try again.';
}
