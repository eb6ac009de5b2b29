import type { sessionCookies } from '#contract/hosts.ts';
import { APP_SCRIPT } from '#contract/page-elements.ts';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import { formatAsOf, formatChecked, formatSaved } from '#web/features/saved-offline/freshness.ts';
import { formatForReader } from '#web/features/site/reader-time.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { readStored } from './platform/browser-storage.ts';
import { type EarlyRead, handOver } from './platform/saved-data/early-read.ts';
import {
  type Encryptor,
  encryptorFromSecret,
  installSalt,
  isSaltStored,
} from './platform/saved-data/encryption.ts';
import { isMarkedEnded, openEndedSessions } from './platform/saved-data/ended-sessions.ts';
import { isSavedRecord, MAX_AGE, openRecords, type Records } from './platform/saved-data/records.ts';
import {
  AGE,
  isScreenSnapshot,
  type ScreenSnapshot,
  SNAPSHOT_SCHEMA,
  snapshotName,
  snapshotStyles,
} from './platform/saved-data/screen-snapshot.ts';
import { serverNow } from './platform/server-clock.ts';
import type { FirstPaintResult } from './platform/session/first-paint-result.ts';
import { getSecret } from './platform/session/owner-secret.ts';
import { trustedMarkup } from './platform/trusted-types.ts';

/**
 * How long the app waits, in milliseconds: for the storage to answer, or it hangs, and then for the snapshot. On a slow
 * phone a snapshot is readable long before the app. `TIMEOUT` in records.ts adds to the first.
 */
const ANSWERS_WITHIN = 300;
const PAINT_WITHIN = 1000;

/**
 * Paints the last snapshot of the screen for the signed-in customer, so that a balance or the next trip can be read
 * before the app runs, which renders the same markup in its place. If the session was signed out of, it paints nothing
 * and tells the app. It delays the first paint, so every byte counts.
 */
export function startFirstPaint(): Omit<FirstPaintResult, 'signedOutToken'> {
  const token = readCookie('session');
  const secret = token === null ? null : getSecret(token, readCookie('owner'));
  const isEnded = secret === null ? Promise.resolve(false) : isMarkedEnded(openEndedSessions(), secret);
  // Before anything is saved there is no salt.
  const name = secret === null || !isSaltStored() ? null : findName();
  const records = openRecords('first-paint');
  // Opens the database while the keys are derived.
  const answered = Promise.all([isEnded, name === null ? null : records.get([])]);

  async function paintSnapshot(): Promise<void> {
    // Without a snapshot, too, the app waits to learn whether the session was signed out of.
    if (secret === null || name === null) return void (await isEnded);
    const encryptor = await encryptorFromSecret(secret, installSalt()).catch(() => null);
    if (encryptor === null) return void (await isEnded);
    const loading = findSnapshot(records, encryptor, name).catch(() => null);
    // At the same time, because the app waits for it.
    const read = readForApp(secret, encryptor);
    const snapshot = await loading;
    await parsedDocument();
    if (await isEnded) return;
    handOver(read);
    // Meanwhile the app may have started: it may have signed out or opened another page.
    if (snapshot === null || findName() !== name) return;
    const root = document.getElementById('root');
    if (root === null || root.childElementCount > 0) return;
    try {
      paint(root, snapshot);
    } catch {
      // Refused markup: the app does the first paint.
      return;
    }
    await paintedFrame();
  }

  async function timeout(): Promise<void> {
    const isAlive = await Promise.race([answered.then(() => true), delay(ANSWERS_WITHIN)]).catch(() => false);
    if (isAlive) await delay(PAINT_WITHIN);
  }

  const firstPaint = Promise.race([paintSnapshot(), timeout()]).then(parsedDocument);
  void (name === null ? parsedDocument() : firstPaint).then(insertApp);
  return { firstPaint, endedToken: isEnded.then((is) => (is ? token : null)) };
}

/** Null if the cookie is malformed; the app handles it then. */
function readCookie(name: typeof sessionCookies.customer.name | 'owner'): string | null {
  const [, cookie] = new RegExp(`(?:^|; )my-${name}=([^;]+)`).exec(document.cookie) ?? [];
  try {
    return cookie === undefined ? null : decodeURIComponent(cookie);
  } catch {
    return null;
  }
}

/** Runs the app, whose files the page has preloaded. */
function insertApp(): void {
  const app = document.getElementById(APP_SCRIPT);
  if (app instanceof HTMLTemplateElement) document.head.append(app.content);
}

/** Resolves once the page's elements exist. */
async function parsedDocument(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

function paint(root: HTMLElement, snapshot: ScreenSnapshot): void {
  root.innerHTML = trustedMarkup(snapshot.html);
  const now = serverNow();
  for (const time of root.querySelectorAll<HTMLTimeElement>(`time[${AGE}]`)) {
    time.textContent = formatAge(time, now);
  }
  lockFields(root);
  performance.mark('first-paint-of-saved-data');
}

/** What would be typed or chosen before the app replaces the fields would be lost. */
function lockFields(root: HTMLElement): void {
  for (const field of root.querySelectorAll<HTMLElement>('input, select, textarea')) {
    if (field instanceof HTMLSelectElement || field.matches('[type="checkbox"], [type="radio"]'))
      field.inert = true;
    else field.setAttribute('readonly', '');
  }
}

function formatAge(time: HTMLTimeElement, now: number): string | null {
  // The script has English messages only.
  if (pageLanguage() !== SOURCE_LANGUAGE) return formatForReader('dateAndClock', time.dateTime);
  const kind = time.getAttribute(AGE);
  if (kind === 'balance') return formatAsOf(time.dateTime, now);
  return kind === 'checked' ? formatChecked([time.dateTime], now) : formatSaved([time.dateTime], now);
}

/** The name of the snapshot of this page; null if it has none or no customer is signed in. */
function findName(): string | null {
  const isSignedIn = readStored('is-authenticated') === 'true' && readStored('wipe') === null;
  return isSignedIn ? snapshotName(window.location) : null;
}

async function findSnapshot(
  records: Records,
  { tag, nameRecord, decrypt }: Encryptor,
  snapshot: string,
): Promise<ScreenSnapshot | null> {
  const name = await nameRecord(snapshot);
  const [record] = await records.get([name]);
  if (!isSavedRecord(record) || record.tag !== tag || record.schema !== SNAPSHOT_SCHEMA) return null;
  const isOver = record.until !== null && record.until < serverNow();
  if (isOver || Date.now() - record.at > MAX_AGE) return null;
  const opened = await decrypt(name, record);
  return isScreenSnapshot(opened) && opened.styles === snapshotStyles() ? opened : null;
}

/** The app waits for the saved data behind a painted snapshot. */
function readForApp(secret: string, encryptor: Encryptor): EarlyRead {
  const records = openRecords('account-data');
  const stored = records.all();
  // The app may end the session instead of reading it.
  stored.catch(() => undefined);
  return { secret, encryptor, records, stored };
}

/** Resolves after the next frame. The app is inserted then, so that its scripts run after the frame is painted. */
function paintedFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
