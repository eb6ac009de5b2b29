import { formatAsOf, formatSaved } from '#web/features/saved-offline/freshness.ts';
import { readStored } from './platform/browser-storage.ts';
import { pageConfig } from './platform/page-config.ts';
import { encryptorFromSecret, installSalt } from './platform/saved-data/encryption.ts';
import { isMarkedEnded, openEndedSessions } from './platform/saved-data/ended-sessions.ts';
import { isSavedRecord, MAX_AGE, openRecords } from './platform/saved-data/records.ts';
import {
  AGE,
  isScreenSnapshot,
  type ScreenSnapshot,
  SNAPSHOT_SCHEMA,
  snapshotName,
} from './platform/saved-data/screen-snapshot.ts';
import type { FirstPaintResult } from './platform/session/first-paint-result.ts';
import { secretOf } from './platform/session/owner-secret.ts';
import { trustedMarkup } from './platform/trusted-types.ts';

/** Milliseconds. A storage that has not answered by then hangs; one that has gets a little longer to paint. */
const ANSWERS_WITHIN = 150;
const PAINT_WITHIN = 300;

/**
 * Paints the last snapshot of the screen for the signed-in customer, so that a balance or the next trip can be read
 * before the app runs, which renders the same markup in its place. If the session was signed out of, it paints nothing
 * and tells the app. It delays the first paint, so every byte counts.
 */
export function startFirstPaint(): Omit<FirstPaintResult, 'signedOutToken'> {
  const token = readCookie('session');
  const secret = token === null ? null : secretOf(token, readCookie('owner'));
  const isEnded = secret === null ? Promise.resolve(false) : isMarkedEnded(openEndedSessions(), secret);
  let hasAnswered = false;
  /** Once the app has started, it owns the screen. */
  let isTooLate = false;

  async function paintSnapshot(): Promise<void> {
    const snapshot = secret === null ? null : await findSnapshot(secret).catch(() => null);
    if ((await isEnded) || snapshot === null || isTooLate) return;
    await paint(snapshot).catch(() => undefined);
  }

  async function timeout(): Promise<void> {
    void isEnded.then(() => {
      hasAnswered = true;
    });
    await delay(ANSWERS_WITHIN);
    if (hasAnswered) await delay(PAINT_WITHIN - ANSWERS_WITHIN);
    isTooLate = true;
  }

  return {
    firstPaint: Promise.race([paintSnapshot(), timeout()]),
    endedToken: isEnded.then((is) => (is ? token : null)),
  };
}

/** Null if the cookie is malformed; the app handles it then. */
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
  if (root === null || root.childElementCount > 0) return;
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
  await nextFrame();
}

async function findSnapshot(secret: string): Promise<ScreenSnapshot | null> {
  const snapshot = snapshotName(window.location);
  const isKnown = readStored('is-authenticated') === 'true' && readStored('wipe') === null;
  if (snapshot === null || !isKnown) return null;
  const records = openRecords('first-paint');
  // Opens the database while the keys are derived.
  const [encryptor] = await Promise.all([encryptorFromSecret(secret, installSalt()), records.get([])]);
  const { tag, nameOf, decrypt } = encryptor;
  const name = await nameOf(snapshot);
  const [record] = await records.get([name]);
  if (!isSavedRecord(record) || record.tag !== tag || record.schema !== SNAPSHOT_SCHEMA) return null;
  const now = Date.now();
  if (now - record.at > MAX_AGE || (record.until !== null && record.until < now)) return null;
  const opened = await decrypt(name, record);
  return isScreenSnapshot(opened) && opened.build === pageConfig().version ? opened : null;
}

/** Resolves after the next frame, so that no work delays it. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
