import { formatAsOf, formatSaved } from './parts/freshness.ts';
import { readStored } from './platform/browser-storage.ts';
import { pageConfig } from './platform/page-config.ts';
import { encryptorFromSecret } from './platform/saved-data/encryption.ts';
import { isMarkedEnded, openEndedSessions } from './platform/saved-data/ended-sessions.ts';
import { installSalt } from './platform/saved-data/install-salt.ts';
import { isSavedRecord, KEPT_FOR, openRecords } from './platform/saved-data/records.ts';
import {
  AGE,
  isScreenSnapshot,
  type ScreenSnapshot,
  SNAPSHOT_SCHEMA,
  snapshotName,
} from './platform/saved-data/screen-snapshot.ts';
import type { Opening } from './platform/session/opening.ts';
import { secretOf } from './platform/session/owner-secret.ts';
import { trustedMarkup } from './platform/trusted-types.ts';

/*
 * A script of its own, before the app's: paints how the screen last looked to whoever is signed in, so that a balance
 * or the next trip can be read at once. The app shows the same in its place as soon as it runs. Of a session that was
 * signed out of it paints nothing and tells the app. Every byte of it stands before the first paint.
 */

/** A storage that has answered nothing by then hangs; a slow phone's has, and has a little longer. */
const ANSWERS_WITHIN = 150;
const PAINT_WITHIN = 300;

const token = readCookie('session');
const secret = token === null ? null : secretOf(token, readCookie('owner'));
const isEnded = secret === null ? Promise.resolve(false) : isMarkedEnded(openEndedSessions(), secret);
/** Once the app has started, the screen is its own. */
let isTooLate = false;

const opening: Omit<Opening, 'leftToken'> = {
  firstPaint: Promise.race([begin(), patience()]),
  endedToken: isEnded.then((is) => (is ? token : null)),
};
Object.assign(window, opening);

async function begin(): Promise<void> {
  const snapshot = secret === null ? null : await findSnapshot(secret).catch(() => null);
  if ((await isEnded) || snapshot === null) return;
  await paint(snapshot).catch(() => undefined);
}

async function patience(): Promise<void> {
  let hasAnswered = false;
  void isEnded.then(() => {
    hasAnswered = true;
  });
  await passed(ANSWERS_WITHIN);
  if (hasAnswered) await passed(PAINT_WITHIN - ANSWERS_WITHIN);
  isTooLate = true;
}

/** Null for one that nobody here has written: the app makes of it what it can. */
function readCookie(name: 'session' | 'owner'): string | null {
  const [, cookie] = new RegExp(`(?:^|; )my-${name}=([^;]+)`).exec(document.cookie) ?? [];
  try {
    return cookie === undefined ? null : decodeURIComponent(cookie);
  } catch {
    return null;
  }
}

async function paint(snapshot: ScreenSnapshot): Promise<void> {
  const root = document.getElementById('root');
  if (root === null || root.childElementCount > 0 || isTooLate) return;
  root.innerHTML = trustedMarkup(snapshot.html);
  const now = Date.now();
  for (const time of root.querySelectorAll<HTMLTimeElement>(`time[${AGE}]`)) {
    const text =
      time.getAttribute(AGE) === 'balance'
        ? formatAsOf(time.dateTime, now)
        : formatSaved([time.dateTime], now);
    time.textContent = text;
  }
  performance.mark('first-paint-of-saved-data');
  await painted();
}

async function findSnapshot(secret: string): Promise<ScreenSnapshot | null> {
  const snapshot = snapshotName(window.location);
  const isKnown = readStored('is-authenticated') === 'true' && readStored('wipe') === null;
  if (snapshot === null || !isKnown) return null;
  const records = openRecords('first-paint');
  // The database is opened while the keys are made.
  const [encryptor] = await Promise.all([encryptorFromSecret(secret, installSalt()), records.get([])]);
  const { tag, nameOf, decrypt } = encryptor;
  const name = await nameOf(snapshot);
  const [record] = await records.get([name]);
  if (!isSavedRecord(record) || record.tag !== tag || record.schema !== SNAPSHOT_SCHEMA) return null;
  const now = Date.now();
  if (now - record.at > KEPT_FOR || (record.until !== null && record.until < now)) return null;
  const opened = await decrypt(name, record);
  return isScreenSnapshot(opened) && opened.build === pageConfig().version ? opened : null;
}

/** After the frame it is on; what runs before that would hold it back. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
