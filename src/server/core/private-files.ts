import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** Files and folders that this process makes from now on are for its user only. Only on the main thread. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Takes the rights of other users from a data folder of ours, with its database and object storage. Earlier releases made
 * files that every user of the machine could write. Nothing happens to a folder that belongs to another user.
 */
export function makeDataPrivate(folder: string): void {
  takeRights(folder);
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    takeRights(join(folder, name));
  }
  for (const part of ['database', 'storage']) {
    for (const path of listTree(join(folder, part))) takeRights(path);
  }
}

function listTree(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    return [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function takeRights(path: string): void {
  try {
    const { mode } = statSync(path);
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS);
  } catch (error) {
    // Gone in the meantime, or a mounted folder of another user, of which `doctor` tells.
    if (!['ENOENT', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
