import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import type { FileChange } from '#contract/desk/timetable/schemas.ts';
import { FileError, type Problem } from '#server/csv/problems.ts';
import { isPictureName, PICTURE_FOLDER } from '../pictures/picture-files.ts';
import { COASTLINE_FILE } from './coastline-file.ts';
import { FEED_TABLES } from './feed-tables.ts';

/** The files of a feed by name; only files known to the importer. */
export type FeedFiles = ReadonlyMap<string, Uint8Array>;

export type UploadedFiles = {
  changes: FileChange[];
  /** Number of files that stay as they are. */
  kept: number;
  /** Names of files that are not read. */
  unread: string[];
};

/** The names of all files that an import reads, beside pictures. */
export const KNOWN_FILES: readonly string[] = [...Object.keys(FEED_TABLES), 'settings.json', COASTLINE_FILE];

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
const MAX_ENTRIES = 1000;

/** Every feed has it, so an upload without it is a part of one. */
const WHOLE_FEED_FILE = 'agency.txt';

/** Gets the name of each file that is not read. */
type OnUnread = (name: string) => void;

/**
 * Reads a feed from a folder or a zip archive. Unknown files are ignored.
 * @throws {FileError} if there is nothing to read, or too much
 */
export async function readFeedFiles(path: string, onUnread: OnUnread = () => {}): Promise<FeedFiles> {
  const stats = await stat(path).catch(() => null);
  if (!stats) throw refused(path, 'There is no such folder or file.');
  if (stats.isDirectory()) return readFolder(path, onUnread);
  if (stats.size > MAX_FILE_BYTES) throw refused(path, 'The archive is larger than 64 MB.');
  return unzipFeed(await readFile(path), path, onUnread);
}

/**
 * Unpacks a feed; its files may be in one folder inside the archive. The sizes declared by the entries limit the total,
 * so a small archive cannot fill the memory.
 * @throws {FileError}
 */
export function unzipFeed(archive: Uint8Array, name = 'archive', onUnread: OnUnread = () => {}): FeedFiles {
  const files = unpackFiles(archive, name, onUnread);
  if (files.size === 0) throw refused(name, 'The archive has none of the files of a feed.');
  return files;
}

/**
 * Reads an uploaded archive. One with agency.txt is a whole feed; the files of any other replace those of the current
 * feed.
 * @throws {FileError} if none of its files can be read, or they are too large
 */
export function readUpload(
  archive: Uint8Array,
  current: FeedFiles,
): { files: FeedFiles; upload: UploadedFiles } {
  const unread: string[] = [];
  const uploaded = unpackFiles(archive, 'upload', (name) => unread.push(name));
  if (uploaded.size === 0) throw new FileError(describeUnread(unread));
  const files = uploaded.has(WHOLE_FEED_FILE) ? uploaded : new Map([...current, ...uploaded]);
  const changes = compareFiles(current, files);
  const removed = changes.filter(({ state }) => state === 'removed').length;
  return { files, upload: { changes, kept: files.size - (changes.length - removed), unread } };
}

/** One file of an archive that `zipFeed` packed; undefined if the feed does not have it. */
export function unzipFile(archive: Uint8Array, file: string): Uint8Array | undefined {
  return unzipSync(archive, { filter: ({ name }) => name === file })[file];
}

/** Packs a feed deterministically: equal files give equal archives. */
export function zipFeed(files: FeedFiles): Uint8Array {
  return zipSync(Object.fromEntries(sorted(files)), { level: 9, mtime: '1980-01-02' });
}

/** SHA-256 over names and contents. */
export function digestFiles(files: FeedFiles): string {
  const hash = createHash('sha256');
  for (const [name, contents] of sorted(files)) {
    hash.update(`${name}\0${contents.byteLength}\0`).update(contents);
  }
  return hash.digest('hex');
}

/** Paths of the files in a folder, and of the pictures in its folder for them. */
async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isPictureFolder = (entry: Dirent) => entry.isDirectory() && entry.name === PICTURE_FOLDER;
  const names = entries.filter((entry) => !isPictureFolder(entry)).map(({ name }) => name);
  if (!entries.some(isPictureFolder)) return names.toSorted();
  const pictures = (await readdir(join(folder, PICTURE_FOLDER))).filter(isPictureName);
  return [...names, ...pictures.map((name) => join(PICTURE_FOLDER, name))].toSorted();
}

function isReadFile(name: string): boolean {
  return KNOWN_FILES.includes(name) || isPictureName(name);
}

async function readFolder(folder: string, onUnread: OnUnread): Promise<FeedFiles> {
  const files = new Map<string, Uint8Array>();
  const limit = createSizeLimit();
  for (const path of await listFolder(folder)) {
    const name = baseName(path);
    if (!isReadFile(name)) {
      onUnread(name);
      continue;
    }
    if (files.has(name)) throw refused(name, 'The folder has this file twice.');
    const file = join(folder, path);
    limit(name, (await stat(file)).size);
    files.set(name, await readFile(file));
  }
  if (files.size === 0) throw refused(folder, 'The folder has none of the files of a feed.');
  return files;
}

/** Checks each file's size and the total. */
function createSizeLimit(): (name: string, bytes: number) => void {
  let total = 0;
  return (name, bytes) => {
    total += bytes;
    if (bytes <= MAX_FILE_BYTES && total <= MAX_TOTAL_BYTES) return;
    throw refused(name, 'The file is larger than 64 MB, or all together than 128 MB.');
  };
}

function unpack(
  archive: Uint8Array,
  name: string,
  filter: (entry: UnzipFileInfo) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(archive, { filter });
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw refused(name, 'This is not a zip archive that can be read.');
  }
}

function sorted(files: FeedFiles): [string, Uint8Array][] {
  return [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function refused(file: string, message: string): FileError {
  return new FileError([{ file, line: null, column: null, message }]);
}

/** The files of an archive, which may have none. */
function unpackFiles(archive: Uint8Array, name: string, onUnread: OnUnread): FeedFiles {
  const files = new Map<string, Uint8Array>();
  let entries = 0;
  const limit = createSizeLimit();
  const isRead = (entry: UnzipFileInfo) => {
    entries += 1;
    if (entries > MAX_ENTRIES) throw refused(name, `The archive has more than ${MAX_ENTRIES} entries.`);
    if (entry.name.startsWith('__MACOSX/') || entry.name.endsWith('/')) return false;
    if (!isReadFile(baseName(entry.name))) {
      onUnread(baseName(entry.name));
      return false;
    }
    limit(entry.name, entry.originalSize);
    return true;
  };
  for (const [path, contents] of Object.entries(unpack(archive, name, isRead))) {
    const file = baseName(path);
    if (files.has(file)) throw refused(file, 'The archive has this file twice.');
    files.set(file, contents);
  }
  return files;
}

function describeUnread(unread: readonly string[]): Problem[] {
  const whole = { line: null, column: null };
  if (unread.length === 0) return [{ file: 'upload', ...whole, message: 'The archive is empty.' }];
  return unread.map((file) => ({ file, ...whole, message: 'This is not the name of a file of a feed.' }));
}

function compareFiles(before: FeedFiles, after: FeedFiles): FileChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((name): FileChange[] => {
    const [old, now] = [before.get(name), after.get(name)];
    if (!now) return [{ name, state: 'removed' }];
    if (!old) return [{ name, state: 'added' }];
    return Buffer.compare(old, now) === 0 ? [] : [{ name, state: 'changed' }];
  });
}
