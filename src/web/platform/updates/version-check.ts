import { SOURCE_HEADER, VERSION_PATH } from '#contract/worker-messages.ts';
import { readStored, removeStored, writeStored } from '../browser-storage.ts';
import { report } from '../reporting/reporting.ts';

/** The keys name the environment, as error reports do. */
export const VERSION_KEY = 'version-production';
export const VERSION_LOCK_KEY = 'version-lock-production';

/** Milliseconds after which a lock expires, because a tab may close during a check. */
const LOCK_LIFE = 30_000;
const FETCH_TIMEOUT = 8000;
const RETRIES = 5;
const RETRY_DELAY = 1000;

/** Up to 20 printable characters. Anything else is another page. */
export function isVersionText(text: string): boolean {
  return /^\P{C}{1,20}$/u.test(text);
}

/**
 * The first check of a page that runs `build`, which becomes the stored version. If none was stored, the file's text
 * is stored instead, with up to five retries. Returns the file's text, or null.
 */
export async function beginVersion(build: string): Promise<string | null> {
  if (readStored(VERSION_KEY) !== null) {
    writeStored(VERSION_KEY, build);
    return checkVersion();
  }
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY * attempt));
    const text = await checkVersion();
    if (text === null) continue;
    writeStored(VERSION_KEY, text);
    return text;
  }
  return null;
}

/** The text of the version file; null if another tab is checking or the answer is unusable. */
export async function checkVersion(): Promise<string | null> {
  const lockedAt = Number(readStored(VERSION_LOCK_KEY) ?? Number.NaN);
  if (Math.abs(Date.now() - lockedAt) < LOCK_LIFE) return null;
  const lock = String(Date.now());
  const unlock = () => {
    if (readStored(VERSION_LOCK_KEY) === lock) removeStored(VERSION_LOCK_KEY);
  };
  writeStored(VERSION_LOCK_KEY, lock);
  window.addEventListener('pagehide', unlock);
  try {
    const text = (await fetchText())?.trim() ?? '';
    return isVersionText(text) ? text : null;
  } catch (error) {
    if (!isFailedFetch(error)) report(error);
    return null;
  } finally {
    unlock();
    window.removeEventListener('pagehide', unlock);
  }
}

/** Without storage, the page could not tell that it had already reloaded for this version. */
export function canStoreVersion(): boolean {
  const key = `${VERSION_KEY}-test`;
  const works = writeStored(key, key) && readStored(key) === key;
  removeStored(key);
  return works;
}

/** Null if the answer is not fresh from the network. */
async function fetchText(): Promise<string | null> {
  const response = await fetch(`${VERSION_PATH}?t=${Date.now()}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(FETCH_TIMEOUT),
  });
  if (response.headers.get(SOURCE_HEADER) === 'cache') return null;
  if (!response.ok) throw new Error(`The version file was answered with ${response.status}.`);
  const isText = /^text\/plain\b/.test(response.headers.get('content-type') ?? '');
  return isText ? response.text() : null;
}

/** "Failed to fetch" in the words of each browser. */
function isFailedFetch(error: unknown): boolean {
  return (
    error instanceof Error && /Failed to fetch|Load failed|NetworkError when attempting/i.test(error.message)
  );
}
