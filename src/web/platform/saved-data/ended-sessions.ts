import { fingerprint } from '../fingerprint.ts';
import { openRecords, type Records } from './records.ts';

/*
 * Browsers write cookies and local storage to the disk seconds after they say they have: one that is ended by force
 * just after a sign-out starts again with the session's token. What was put into a database is there.
 */

export function openEndedSessions(): Records {
  return openRecords('ended-sessions');
}

/** Once this settles, the session of this owner's secret is not believed here again. */
export async function markEnded(ended: Records, secret: string): Promise<void> {
  await ended.keep(fingerprint(secret), Date.now());
}

/** Whether this browser has signed out of that session. A storage that does not answer knows of none. */
export async function isMarkedEnded(ended: Records, secret: string): Promise<boolean> {
  const [at] = await ended.get([fingerprint(secret)]).catch(() => []);
  return at !== undefined;
}
