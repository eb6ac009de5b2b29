import { fingerprint } from '../fingerprint.ts';
import { openRecords, type Records, type RecordsOptions } from './records.ts';

/*
 * Browsers write cookies and local storage to disk seconds later, so a browser killed after a sign-out may restore
 * the token. IndexedDB writes are durable.
 */

export function openEndedSessions(options?: RecordsOptions): Records {
  return openRecords('ended-sessions', options);
}

/** Once it resolves, this browser no longer accepts the session with this owner's secret. */
export async function markEnded(ended: Records, secret: string): Promise<void> {
  await ended.addOnce(fingerprint(secret), Date.now());
}

/** Whether this browser has signed out of the session. False if the storage does not answer. */
export async function isMarkedEnded(ended: Records, secret: string): Promise<boolean> {
  const [at] = await ended.get([fingerprint(secret)]).catch(() => []);
  return at !== undefined;
}
