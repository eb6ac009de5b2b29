/** The keys name the environment, as error reports do. */
export const VERSION_KEY = 'version-production';
export const VERSION_LOCK_KEY = 'version-lock-production';

/** Milliseconds after which a lock expires, because a tab may close during a check. */
const LOCK_LIFE = 30_000;
const MORE_TRIES = 5;
const TRY_DELAY = 1000;

export type VersionCheck = {
  /** Fetches the version file; null if the answer is not fresh from the network. */
  fetchText: () => Promise<string | null>;
  read: (key: string) => string | null;
  /** False if storage is not available. */
  write: (key: string, value: string) => boolean;
  remove: (key: string) => void;
  /** Epoch milliseconds. */
  now: () => number;
  wait: (milliseconds: number) => Promise<void>;
  report: (error: unknown) => void;
};

/** Up to 20 printable characters. Anything else is another page. */
export function isVersionText(text: string): boolean {
  return /^\P{C}{1,20}$/u.test(text);
}

/**
 * The first check of a page that runs `build`, which becomes the stored version. If none was stored, the file's text
 * is stored instead, with up to five retries. Returns the file's text, or null.
 */
export async function beginVersion(check: VersionCheck, build: string): Promise<string | null> {
  if (check.read(VERSION_KEY) !== null) {
    check.write(VERSION_KEY, build);
    return checkVersion(check);
  }
  for (let attempt = 0; attempt <= MORE_TRIES; attempt += 1) {
    if (attempt > 0) await check.wait(TRY_DELAY * attempt);
    const text = await checkVersion(check);
    if (text === null) continue;
    check.write(VERSION_KEY, text);
    return text;
  }
  return null;
}

/** The text of the version file; null if another tab is checking or the answer is unusable. */
export async function checkVersion(check: VersionCheck): Promise<string | null> {
  if (isLocked(check)) return null;
  check.write(VERSION_LOCK_KEY, String(check.now()));
  try {
    const text = (await check.fetchText())?.trim() ?? '';
    return isVersionText(text) ? text : null;
  } catch (error) {
    if (!isUnreachable(error)) check.report(error);
    return null;
  } finally {
    check.remove(VERSION_LOCK_KEY);
  }
}

/** Without storage, the page could not tell that it had already reloaded for this version. */
export function canStore({ read, write, remove }: Pick<VersionCheck, 'read' | 'write' | 'remove'>): boolean {
  const key = `${VERSION_KEY}-test`;
  const works = write(key, key) && read(key) === key;
  remove(key);
  return works;
}

function isLocked({ read, now }: VersionCheck): boolean {
  const since = Number(read(VERSION_LOCK_KEY) ?? Number.NaN);
  return Math.abs(now() - since) < LOCK_LIFE;
}

/** A timeout, or "Failed to fetch" in the words of each browser. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' ||
    error.name === 'TimeoutError' ||
    /Failed to fetch|Load failed|NetworkError when attempting/i.test(error.message)
  );
}
