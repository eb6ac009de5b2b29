import { signOut } from '#contract/sign-in/endpoints.ts';
import { tryReload } from '../updates/reload.ts';
import { clearSession, readToken } from './session.ts';

/**
 * For a session that was signed out of and is back, because the browser was ended by force before that had reached its
 * disk. The app starts signed out, and empties what may be left; the server is told too, for whom the session may go on.
 * False, and nothing is done, where another tab has done so, or has signed in anew, since the token was read.
 */
export function endAgain(token: string): boolean {
  if (readToken() !== token) return false;
  fetch(signOut.path, {
    method: 'DELETE',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  void clearSession();
  return true;
}

/** For an app that has started with it meanwhile. With a cookie that cannot be removed it would begin again for ever. */
export function endLate(token: string): void {
  if (endAgain(token) && readToken() === null) tryReload('signed-out');
}
