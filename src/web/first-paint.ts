import { formatAsOf, formatSaved } from './parts/freshness.ts';
import { readStored } from './platform/browser-storage.ts';
import { installSalt } from './platform/saved-data/install-salt.ts';
import { AGE, isPicture, PICTURE_SCHEMA, type Picture, pictureOf } from './platform/saved-data/picture.ts';
import { isSavedRecord, KEPT_FOR, openRecords } from './platform/saved-data/records.ts';
import { sealOfToken } from './platform/saved-data/sealing.ts';

/**
 * A script of its own, before the app's: paints how the screen last looked to whoever is signed in, so that a balance
 * or the next trip can be read at once. The app shows the same in its place as soon as it runs.
 */
const PAINT_WITHIN = 250;
const startedAt = performance.now();

/** The app's own start is put off until this is on the screen, but not for a storage that does not answer. */
(window as { firstPaint?: Promise<void> }).firstPaint = Promise.race([paint(), passed(PAINT_WITHIN)]);

async function paint(): Promise<void> {
  const token = /(?:^|; )my-session=([^;]+)/.exec(document.cookie)?.[1];
  const name = pictureOf(window.location);
  const isKnown = readStored('is-authenticated') === 'true' && readStored('wipe') === null;
  if (token === undefined || name === null || !isKnown) return;
  const picture = await findPicture(decodeURIComponent(token), name).catch(() => null);
  const root = document.getElementById('root');
  const isInTime = performance.now() - startedAt < PAINT_WITHIN;
  if (picture === null || root === null || root.childElementCount > 0 || !isInTime) return;
  root.innerHTML = picture.html;
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

async function findPicture(token: string, picture: string): Promise<Picture | null> {
  const { tag, nameOf, open } = await sealOfToken(token, installSalt());
  const name = await nameOf(picture);
  const [record] = await openRecords('first-paint').get([name]);
  if (!isSavedRecord(record) || record.tag !== tag || record.schema !== PICTURE_SCHEMA) return null;
  const now = Date.now();
  if (now - record.at > KEPT_FOR || (record.until !== null && record.until < now)) return null;
  const opened = await open(name, record);
  return isPicture(opened) && opened.build === ownBuild() ? opened : null;
}

function ownBuild(): string | null {
  const config: { version?: string } = JSON.parse(
    document.getElementById('page-config')?.textContent ?? 'null',
  );
  return config?.version ?? null;
}

/** After the frame it is on; what runs before that would hold it back. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function passed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
