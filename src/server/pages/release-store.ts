import { and, desc, eq, exists, gt, inArray, lt, notExists, or, sql } from 'drizzle-orm';
import type { Host } from '#contract/hosts.ts';
import type { Database } from '../database/database.ts';
import { releaseDocuments, releaseFiles, releases, runningProcesses } from '../database/schema/releases.ts';
import { inTransaction } from '../database/transactions.ts';
import { daysBefore } from '../retention.ts';

const HOUR = 3_600_000;
const RELEASE_DAYS = 30;

export type StoredFile = typeof releaseFiles.$inferSelect;
export type StoredDocument = Omit<typeof releaseDocuments.$inferSelect, 'version'>;
export type StoredRelease = {
  version: string;
  /** Path patterns of its screens by host. An older release may lack a host. */
  screens: Partial<Record<Host, string[]>>;
  documents: StoredDocument[];
};

/** A process not seen for this long has ended. Milliseconds. */
export const STOPPED_AFTER_MS = 120_000;

/**
 * Stores a release with its files that are not stored yet, in one statement.
 * @param release its files are kept for thirty days after a process last ran it
 */
export async function publishRelease(
  db: Database,
  release: { version: string; screens: StoredRelease['screens']; files: readonly StoredFile[] },
  now: Date,
): Promise<void> {
  const { version, screens, files } = release;
  const paths = files.map(({ path }) => path);
  await inTransaction(db, async (tx) => {
    // `deleteOldReleases` takes the same lock, so it cannot delete a file that was found stored.
    await tx.execute(sql`lock table release_files in share row exclusive mode`);
    await tx
      .insert(releases)
      .values({ version, firstSeenAt: now, lastRunAt: now, paths, screens })
      .onConflictDoUpdate({ target: releases.version, set: { lastRunAt: now } });
    const stored = await tx
      .select({ path: releaseFiles.path })
      .from(releaseFiles)
      .where(inArray(releaseFiles.path, paths));
    const storedPaths = new Set(stored.map(({ path }) => path));
    const missing = files.filter(({ path }) => !storedPaths.has(path));
    if (missing.length > 0) await tx.insert(releaseFiles).values(missing);
  });
}

/** Stores a release's current documents; documents of unchanged data are skipped. */
export async function storeDocuments(
  db: Database,
  version: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  await db
    .insert(releaseDocuments)
    .values(documents.map((document) => ({ ...document, version })))
    .onConflictDoUpdate({
      target: [releaseDocuments.version, releaseDocuments.host, releaseDocuments.path],
      set: {
        fingerprint: sql`excluded.fingerprint`,
        headers: sql`excluded.headers`,
        content: sql`excluded.content`,
      },
      setWhere: sql`${releaseDocuments.fingerprint} <> excluded.fingerprint`,
    });
}

/** Records that a process runs a release; must be repeated well within `STOPPED_AFTER_MS`. */
export async function recordRunning(
  db: Database,
  process: { id: string; version: string },
  now: Date,
): Promise<void> {
  await db
    .insert(runningProcesses)
    .values({ ...process, seenAt: now })
    .onConflictDoUpdate({ target: runningProcesses.id, set: { seenAt: now } });
}

/** Records that a process stopped; without an id, that all did. */
export async function recordStopped(db: Database, id?: string): Promise<void> {
  await db.delete(runningProcesses).where(id === undefined ? undefined : eq(runningProcesses.id, id));
}

/** Versions that processes run now, the latest release first; `own` is always included. */
export async function listRunning(db: Database, own: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - STOPPED_AFTER_MS);
  const isRunning = exists(
    db
      .select({ id: runningProcesses.id })
      .from(runningProcesses)
      .where(and(eq(runningProcesses.version, releases.version), gt(runningProcesses.seenAt, since))),
  );
  const rows = await db
    .select({ version: releases.version })
    .from(releases)
    .where(or(eq(releases.version, own), isRunning))
    .orderBy(desc(releases.firstSeenAt), desc(releases.version));
  return rows.map(({ version }) => version);
}

/** @returns null if no such release is stored */
export async function readRelease(db: Database, version: string): Promise<StoredRelease | null> {
  const [release] = await db
    .select({ screens: releases.screens })
    .from(releases)
    .where(eq(releases.version, version));
  if (release === undefined) return null;
  const documents = await db.select().from(releaseDocuments).where(eq(releaseDocuments.version, version));
  return { version, screens: release.screens, documents };
}

/** Files of any stored release; missing ones are omitted. */
export async function readFiles(db: Database, paths: readonly string[]): Promise<StoredFile[]> {
  return db
    .select()
    .from(releaseFiles)
    .where(inArray(releaseFiles.path, [...paths]));
}

/**
 * Deletes releases that no process has run for a month, with their files. A device keeps the screens of two releases
 * itself; the server keeps what an open tab of an older one still loads.
 */
export async function deleteOldReleases(db: Database, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - HOUR);
  await inTransaction(db, async (tx) => {
    // A release that is being published relies on the files it finds stored.
    await tx.execute(sql`lock table release_files in share row exclusive mode`);
    const running = tx
      .select({ version: runningProcesses.version })
      .from(runningProcesses)
      .where(gt(runningProcesses.seenAt, hourAgo));
    await tx.update(releases).set({ lastRunAt: now }).where(inArray(releases.version, running));
    await tx.delete(runningProcesses).where(lt(runningProcesses.seenAt, hourAgo));
    await tx.delete(releases).where(lt(releases.lastRunAt, daysBefore(now, RELEASE_DAYS)));
    const users = tx
      .select({ version: releases.version })
      .from(releases)
      .where(eq(releaseFiles.path, sql`any (${releases.paths})`));
    await tx.delete(releaseFiles).where(notExists(users));
  });
}
