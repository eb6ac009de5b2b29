import { asc, gt } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { type AuditRow, auditLog } from '../database/schema/audit.ts';
import { hashEntry } from './record-audit.ts';

/** Number and hash of an entry, as written down outside of the database. */
export type Anchor = Pick<AuditRow, 'seq' | 'hash'>;

/** `problem`: of the first entry that is not as it was recorded; null: the log is whole. `last`: null if it is empty. */
export type AuditCheck = { problem: 'changed' | 'missing' | null; seq: number; last: Anchor | null };

const BATCH = 1000;

/**
 * Checks that no entry was changed or removed since it was recorded. The chain alone would not show that the newest
 * entries were cut off, or that all hashes were computed again; the anchors do.
 */
export async function verifyAuditLog(db: Database, anchors: readonly Anchor[]): Promise<AuditCheck> {
  const anchored = new Map(anchors.map(({ seq, hash }) => [seq, hash]));
  let last: Anchor | null = null;
  for (;;) {
    const rows: AuditRow[] = await readAfter(db, last?.seq ?? 0);
    for (const row of rows) {
      const seq: number = (last?.seq ?? 0) + 1;
      if (row.seq !== seq) return { problem: 'missing', seq, last };
      const isSame: boolean = row.previousHash === (last?.hash ?? '') && row.hash === hashEntry(row);
      if (!isSame || (anchored.get(seq) ?? row.hash) !== row.hash) return { problem: 'changed', seq, last };
      last = { seq, hash: row.hash };
    }
    if (rows.length < BATCH) break;
  }
  const seq = (last?.seq ?? 0) + 1;
  return { problem: anchors.some((anchor) => anchor.seq >= seq) ? 'missing' : null, seq, last };
}

function readAfter(db: Database, seq: number): Promise<AuditRow[]> {
  return db.select().from(auditLog).where(gt(auditLog.seq, seq)).orderBy(asc(auditLog.seq)).limit(BATCH);
}
