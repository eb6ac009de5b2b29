import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Another live process uses the data folder. */
export class FolderInUseError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop it, or start this one with another DATA_DIR. ` +
        'For several processes use PostgreSQL (DATABASE_URL).',
    );
    this.name = 'FolderInUseError';
  }
}

/** The data folder cannot be created, or nothing can be written to it. */
export class FolderUnwritableError extends Error {
  constructor(folder: string, code: string | undefined) {
    super(`The folder ${folder} cannot be written (${code}). Check DATA_DIR and its disk.`);
    this.name = 'FolderUnwritableError';
  }
}

const TRIES = 3;

/** @throws {FolderUnwritableError} */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new FolderUnwritableError(folder, (error as NodeJS.ErrnoException).code);
  }
}

/**
 * Locks the folder for this process; the embedded database must never be opened twice. Takes over the lock of a process
 * that was killed, even if its process id now belongs to another process.
 * @returns the function that releases the lock
 * @throws {FolderInUseError}
 * @throws {FolderUnwritableError}
 */
export function lockFolder(folder: string): () => void {
  createFolder(folder);
  const file = join(folder, 'process.lock');
  // Written first, then linked, so that the lock file always contains its owner.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, identifyProcess(process.pid), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (link(own, file)) return () => rmSync(file, { force: true });
      const owner = read(file);
      if (owner === null) continue;
      const pid = Number.parseInt(owner, 10);
      if (pid !== process.pid && isOwnerAlive(owner)) throw new FolderInUseError(folder, pid);
      removeStale(file, owner);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new Error(`Could not lock the data folder ${folder}.`);
}

/** The process id and, where the system provides it, the start time, because process ids are reused. */
function identifyProcess(pid: number): string {
  const status = read(`/proc/${pid}/stat`);
  // The second field is the name in brackets and may contain anything; the start time is the 20th field after it.
  const started = status?.slice(status.lastIndexOf(')') + 2).split(' ')[19];
  return started === undefined ? String(pid) : `${pid} ${started}`;
}

function isOwnerAlive(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (!isAlive(pid)) return false;
  const current = identifyProcess(pid);
  const canTell = owner.includes(' ') && current.includes(' ');
  return !canTell || owner === current;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the lock of the dead owner only: another process may have taken over the folder in the meantime. */
function removeStale(file: string, owner: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (read(aside) !== owner) link(aside, file);
  rmSync(aside, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
