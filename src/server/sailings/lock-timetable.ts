import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';

/**
 * Lets one transaction at a time change the timetable or its exceptions, because each derives the state of sailings from
 * what it reads. The lock number is arbitrary.
 */
export async function lockTimetable(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(7241991)`);
}
