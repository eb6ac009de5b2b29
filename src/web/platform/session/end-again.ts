import { apiPaths } from '#contract/paths.ts';
import { writeStored } from '../browser-storage.ts';
import { clearSession, readToken, WIPE_KEY } from './session.ts';

/**
 * For a session that was signed out of and is back, because the browser was ended by force before that had reached its
 * disk. The app starts signed out, and empties what may be left; the server is told too, for whom the session may go on.
 */
export function endAgain(): void {
  const token = readToken();
  if (token === null) return;
  fetch(apiPaths.signOut, {
    method: 'DELETE',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  void clearSession();
  writeStored(WIPE_KEY, 'true');
}
