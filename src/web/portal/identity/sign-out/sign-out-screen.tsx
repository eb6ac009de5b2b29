import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { signOut } from '#contract/identity/sign-in/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { t } from '#web/language/texts.ts';
import { requestOlder } from '#web/platform/api/request.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { clearSession, forgetSignInExpired, readToken } from '#web/platform/session/session.ts';
import { Spinner } from '#web/ui/feedback/spinner.tsx';

const SIGN_OUT_TIMEOUT = 3000;

export function SignOutScreen() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void endSession(client)
      .then(async (isServerInformed) => {
        await navigate(portalPages.signIn, { replace: true });
        // After the navigation, which clears the notifications of the screen before.
        notifySignedOut(isServerInformed);
      })
      .catch(() => window.location.replace(portalPages.signIn));
  }, [navigate, client]);
  return (
    <>
      <h1 className="visually-hidden">{t('Sign out')}</h1>
      <Spinner label={t('Signing out…')} />
    </>
  );
}

/** Clears the session on this device even if the server cannot be reached. */
async function endSession(client: QueryClient): Promise<boolean> {
  // Pending requests would fail with 401.
  void client.cancelQueries();
  const ending =
    readToken() === null ? null : requestOlder(signOut, { keepalive: true, timeoutMs: SIGN_OUT_TIMEOUT });
  // The server ends them with the session; without a connection the browser does.
  void import('#web/platform/push/push.ts').then(({ endPushes }) => endPushes()).catch(() => undefined);
  const [result] = await Promise.all([ending, clearSession()]);
  forgetSignInExpired();
  return result?.error === undefined;
}

function notifySignedOut(isServerInformed: boolean): void {
  if (isServerInformed) notify(t('You are signed out.'), { type: 'success' });
  else {
    notify(
      t(
        'You are signed out on this device. Next time you sign in, check your devices under Password & Security.',
      ),
      { type: 'warning', persistent: true },
    );
  }
}
