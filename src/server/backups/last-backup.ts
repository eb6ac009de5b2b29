import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { settings } from '../database/schema/system.ts';

const NAME = 'last-backup';

/** Stores when the last backup was made, by this product or another tool. */
export async function recordBackup(db: Database, madeAt: Date): Promise<void> {
  const row = { name: NAME, value: { made_at: madeAt.toISOString() }, updatedAt: madeAt };
  await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set: row });
}

/** Seconds since the last backup, as an SQL expression; null if none was made. */
export const backupAge = sql`(
  select extract(epoch from now() - (value ->> 'made_at')::timestamptz)::float from settings where name = ${NAME}
)`;

/** When the last backup was made; null if none was. */
export async function readLastBackup(db: Database): Promise<Date | null> {
  const [row] = await queryRows<{ at: string }>(
    db,
    sql`select value ->> 'made_at' as at from settings where name = ${NAME}`,
  );
  return row === undefined ? null : new Date(row.at);
}
