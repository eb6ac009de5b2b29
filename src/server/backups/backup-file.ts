import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import * as z from 'zod/mini';

/** A backup cannot be written or restored; the message tells the operator why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The first line. */
const HeaderSchema = z.object({
  /** Version of the format. */
  gangway_backup: z.literal(1),
  made_at: z.string(),
  /** The migrations that the tables had, oldest first. */
  migrations: z.array(z.object({ hash: z.string(), created_at: z.number() })),
  tables: z.array(z.string()),
});
export type BackupHeader = z.infer<typeof HeaderSchema>;

const TableSchema = z.object({ table: z.string(), columns: z.array(z.string()) });
const JobSchema = z.object({ job: z.string(), data: z.record(z.string(), z.string()) });
/** Written by earlier releases. */
const QueueJobSchema = z.object({ job: z.string().check(z.startsWith('__pgboss__')) });
const EndSchema = z.object({ rows: z.number() });

/** A line after the header. The rows of a table follow its line, as JSON arrays with the text of each column. */
export type BackupLine =
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'row'; json: string }
  | { kind: 'job'; job: string; data: Record<string, string> }
  | { kind: 'end'; rows: number };

/** The text of a line; a row is text already. */
export function formatLine(value: BackupHeader | object): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Writes a new compressed file that only its owner can read. It gets its name once it is complete and on disk.
 * @throws {BackupError}
 */
export async function writeBackupFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.part`;
  const file = await open(draft, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${path} cannot be written (${error.code}).`);
  });
  try {
    await pipeline(Readable.from(lines), createGzip({ level: 5 }), file.createWriteStream({ flush: true }));
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw isSystemError(error) ? new BackupError(`${path} cannot be written (${error.code}).`) : error;
  }
}

export type OpenBackup = { header: BackupHeader; lines: AsyncGenerator<BackupLine> };

/**
 * Opens a backup and reads its header.
 * @throws {BackupError} also while the lines are read, if the file is damaged or incomplete
 */
export async function readBackupFile(path: string): Promise<OpenBackup> {
  const texts = readLines(path);
  const first = await texts.next();
  const header = HeaderSchema.safeParse(first.done ? null : parse(first.value));
  if (!header.success) throw new BackupError(`${path} is not a backup that this release can read.`);
  return { header: header.data, lines: parseLines(path, texts) };
}

async function* parseLines(path: string, texts: AsyncIterable<string>): AsyncGenerator<BackupLine> {
  for await (const text of texts) {
    if (text.startsWith('[')) {
      yield { kind: 'row', json: text };
      continue;
    }
    const value = parse(text);
    const table = TableSchema.safeParse(value);
    const job = JobSchema.safeParse(value);
    const end = EndSchema.safeParse(value);
    if (table.success) yield { kind: 'table', ...table.data };
    else if (job.success) yield { kind: 'job', ...job.data };
    else if (end.success) yield { kind: 'end', ...end.data };
    else if (!QueueJobSchema.safeParse(value).success) throw damaged(path);
  }
}

/** Lines as they were written: a text in them may contain other line separators than the line feed. */
async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  const unzip = createGunzip();
  source.once('error', (error) => unzip.destroy(error));
  source.pipe(unzip).setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of unzip) {
      const texts = (rest + chunk).split('\n');
      rest = texts.pop() ?? '';
      yield* texts;
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw error.code.startsWith('Z_') ? damaged(path) : new BackupError(`${path} cannot be read.`);
  } finally {
    source.destroy();
  }
  if (rest !== '') throw damaged(path);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function damaged(path: string): BackupError {
  return new BackupError(`${path} is damaged or incomplete.`);
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Makes the new name survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}
