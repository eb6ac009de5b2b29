import { desc, eq, notInArray, sql } from 'drizzle-orm';
import { KEPT_VERSIONS } from '#contract/desk/settings/limits.ts';
import type { SettingsVersions } from '#contract/desk/settings/schemas.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { settingsVersions } from '../database/schema/system.ts';

type Stored = { value: unknown; at: Date };

/**
 * Keeps settings that are published, so that they can be published again. The first time also those before them, of which
 * it is not known who published them.
 */
export async function keepSettingsVersion(
  tx: Database,
  { before, after, actor }: { before: Stored | null; after: Stored; actor: AuditActor },
): Promise<void> {
  if (before !== null && (await tx.$count(settingsVersions)) === 0) {
    await tx.insert(settingsVersions).values(toRow(before, null));
  }
  await tx.insert(settingsVersions).values(toRow(after, actor));
  const kept = tx
    .select({ id: settingsVersions.id })
    .from(settingsVersions)
    .orderBy(...newestFirst)
    .limit(KEPT_VERSIONS);
  await tx.delete(settingsVersions).where(notInArray(settingsVersions.id, kept));
}

/** The versions before the current one, newest first. */
export async function listSettingsVersions(db: Database): Promise<SettingsVersions> {
  const rows = await db
    .select({
      id: settingsVersions.id,
      at: settingsVersions.insertedAt,
      by: sql<string | null>`coalesce(${staffMembers.name}, ${settingsVersions.systemUser})`,
    })
    .from(settingsVersions)
    .leftJoin(staffMembers, eq(staffMembers.id, settingsVersions.staffId))
    .orderBy(...newestFirst)
    .offset(1);
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
}

/** @returns the settings as they were stored; undefined if the version is not kept */
export async function readSettingsVersion(db: Database, id: string): Promise<unknown> {
  const [version] = await db
    .select({ value: settingsVersions.value })
    .from(settingsVersions)
    .where(eq(settingsVersions.id, id));
  return version?.value;
}

const newestFirst = [desc(settingsVersions.insertedAt), desc(settingsVersions.seq)];

function toRow({ value, at }: Stored, actor: AuditActor | null): typeof settingsVersions.$inferInsert {
  return {
    ...{ id: newId('stv'), value, insertedAt: at },
    staffId: actor?.kind === 'staff' ? actor.staffId : null,
    systemUser: actor?.kind === 'command' ? actor.systemUser : null,
  };
}
