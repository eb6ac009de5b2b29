import { signOut } from '#contract/identity/sign-in/endpoints.ts';
import { clearSession, readToken } from '../session/session.ts';
import { tryReload } from '../updates/reload.ts';

/**
 * Signs out of a session that the browser restored although the customer had signed out: it was killed before the
 * sign-out reached its disk. Tells the server too, where the session may still be valid. Returns false and does nothing
 * if another tab has ended it or signed in since the token was read.
 */
export function endRestoredSession(token: string): boolean {
  if (readToken() !== token) return false;
  fetch(signOut.path, {
    method: 'DELETE',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  void clearSession();
  return true;
}

/** For an app that is already running with it. Reloads only if the cookie is gone, to avoid a loop. */
export function endRestoredSessionLate(token: string): void {
  if (endRestoredSession(token) && readToken() === null) tryReload('signed-out');
}
