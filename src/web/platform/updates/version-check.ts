/** Tagged with the environment they are of, as error reports are. */
export const VERSION_KEY = 'version-production';
export const VERSION_LOCK_KEY = 'version-lock-production';

/** A tab that was closed in the middle of a check must not end all checks. */
const LOCK_LIFE = 30_000;
const MORE_TRIES = 5;
const TRY_DELAY = 1000;

export type VersionCheck = {
  /** Asks for the version file; null when the answer is not fresh from the network. */
  fetchText: () => Promise<string | null>;
  read: (key: string) => string | null;
  /** False when nothing can be kept. */
  write: (key: string, value: string) => boolean;
  remove: (key: string) => void;
  /** Epoch milliseconds. */
  now: () => number;
  wait: (milliseconds: number) => Promise<void>;
  report: (error: unknown) => void;
};

/** Up to 20 printable characters. A page that was answered instead of the file is longer, or of another type. */
export function isVersionText(text: string): boolean {
  return /^\P{C}{1,20}$/u.test(text);
}

/**
 * The first check of a page that runs `build`, which is the stored version from now on, whatever was stored before.
 * Where none was stored yet, the file's text is, fetched with up to five more tries. Answers the file's text, null if
 * none came.
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

/** What the version file says; null when another tab is asking, or when nothing usable was answered. */
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

/** Where nothing can be stored, nothing could say that a reload was for this version already. */
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

/** "Failed to fetch", as each browser says it, and an end to waiting for it. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'AbortError' ||
    error.name === 'TimeoutError' ||
    /Failed to fetch|Load failed|NetworkError when attempting/i.test(error.message)
  );
}
