import { desc, eq, notInArray, sql } from 'drizzle-orm';
import { KEPT_CHANGES } from '#contract/desk/timetable/limits.ts';
import type { FileChange, TimetableChanges } from '#contract/desk/timetable/schemas.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { feedArchives, feedChanges } from '../database/schema/feed-files.ts';
import { staffMembers } from '../database/schema/staff.ts';

/** A change with the files from before it. `zip`: in base64. */
export type KeptChange = { at: Date; zip: string };

/**
 * Keeps the current files, which the caller is about to replace, so that the change can be taken back. Does nothing if
 * there are none.
 */
export async function keepReplacedFeed(
  tx: Database,
  input: { actor: AuditActor; now: Date; files: FileChange[] | null; takesBack: Date | null },
): Promise<void> {
  const { actor, now, files, takesBack } = input;
  const [current] = await tx.select({ zipBefore: feedArchives.zip }).from(feedArchives);
  if (!current) return;
  await tx.insert(feedChanges).values({
    ...{ id: newId('tch'), insertedAt: now, files, takesBack, ...current },
    staffId: actor.kind === 'staff' ? actor.staffId : null,
    systemUser: actor.kind === 'command' ? actor.systemUser : null,
  });
  const kept = tx
    .select({ id: feedChanges.id })
    .from(feedChanges)
    .orderBy(...newestFirst)
    .limit(KEPT_CHANGES);
  await tx.delete(feedChanges).where(notInArray(feedChanges.id, kept));
}

/** The changes that can be taken back, newest first. */
export async function listFeedChanges(db: Database): Promise<TimetableChanges> {
  const rows = await db
    .select({
      id: feedChanges.id,
      at: feedChanges.insertedAt,
      by: sql<string | null>`coalesce(${staffMembers.name}, ${feedChanges.systemUser})`,
      files: feedChanges.files,
      takesBack: feedChanges.takesBack,
    })
    .from(feedChanges)
    .leftJoin(staffMembers, eq(staffMembers.id, feedChanges.staffId))
    .orderBy(...newestFirst);
  return rows.map(({ at, takesBack, ...row }) => ({
    ...{ ...row, at: at.toISOString(), takes_back: takesBack?.toISOString() ?? null },
  }));
}

/** @returns the change, by default the last one; null if it is not kept */
export async function readFeedChange(db: Database, id?: string): Promise<KeptChange | null> {
  const [change] = await db
    .select({ at: feedChanges.insertedAt, zip: feedChanges.zipBefore })
    .from(feedChanges)
    .where(id === undefined ? undefined : eq(feedChanges.id, id))
    .orderBy(...newestFirst)
    .limit(1);
  return change ?? null;
}

const newestFirst = [desc(feedChanges.insertedAt), desc(feedChanges.id)];
