import { desc, eq, lt } from 'drizzle-orm';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Table } from '../csv/format-table.ts';
import type { Database } from '../database/database.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { privacyLog } from '../database/schema/system.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';
import { eraseOldAssistance, eraseOldOrders } from './erase-orders.ts';

type PrivacyRecord = typeof privacyLog.$inferSelect;
type PrivacyAct = Pick<PrivacyRecord, 'kind' | 'actor' | 'orders'>;

/** Records an export or erasure of personal data, in its transaction. @returns the record's id */
export async function logPrivacyAct(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  act: PrivacyAct,
): Promise<string> {
  const id = newId('prv');
  await tx.insert(privacyLog).values({ id, ...act, insertedAt: clock.now() });
  return id;
}

/** Who answers a person's request for the operator, and why if they said so. */
export type Answering = { actor: AuditActor; reason: string | null };

/** As `privacy_log` has it: the system user of a command, or a staff member's id. */
export function nameActor(actor: AuditActor): string {
  switch (actor.kind) {
    case 'staff':
      return actor.staffId;
    case 'command':
      return actor.systemUser;
    case 'server':
      return actor.kind;
  }
}

/**
 * Records in the audit log that the operator exported or erased a person's data, as the last act of its transaction. It has
 * no address: of an account its id, else the id of the privacy log's record.
 */
export function auditPrivacyAct(
  tx: Database,
  context: Pick<Context, 'clock'>,
  act: Answering & {
    action: 'personal_data_exported' | 'personal_data_erased';
    customerId: string | null;
    recordId: string;
    orders: number;
  },
): Promise<void> {
  const { action, customerId, recordId, orders, actor, reason } = act;
  return recordAudit(tx, context, {
    ...{ actor, action, reason, before: {}, after: { orders } },
    ...(customerId === null
      ? { objectKind: 'privacy_request', objectId: recordId }
      : { objectKind: 'customer', objectId: customerId }),
  });
}

/** All recorded acts, newest first. */
export async function listPrivacyActs(db: Database): Promise<Table> {
  const acts = await db.select().from(privacyLog).orderBy(desc(privacyLog.insertedAt), desc(privacyLog.id));
  return {
    columns: ['at', 'kind', 'actor', 'orders'],
    rows: acts.map(({ insertedAt, kind, actor, orders }) => [insertedAt.toISOString(), kind, actor, orders]),
  };
}

/** Most records that staff read. */
const SHOWN_RECORDS = 100;

/** The last recorded acts, newest first. `by`: the name of a staff member, as it is now. */
export async function listPrivacyRecords(db: Database): Promise<(PrivacyRecord & { by: string | null })[]> {
  const rows = await db
    .select({ record: privacyLog, by: staffMembers.name })
    .from(privacyLog)
    .leftJoin(staffMembers, eq(staffMembers.id, privacyLog.actor))
    .orderBy(desc(privacyLog.insertedAt), desc(privacyLog.id))
    .limit(SHOWN_RECORDS);
  return rows.map(({ record, by }) => ({ ...record, by }));
}

/** Passengers complain within two months (Regulation (EU) No 1177/2010, article 24). */
const KEEP_ASSISTANCE_DAYS = 62;

/** Reduces old orders to figures without persons, and deletes old records of such acts. */
export const applyPrivacyRetention: RetentionRule = async (db, now, keepDays) => {
  const orders = await eraseOldOrders(db, daysBefore(now, keepDays.orders));
  await eraseOldAssistance(db, daysBefore(now, Math.min(KEEP_ASSISTANCE_DAYS, keepDays.orders)));
  const clock = { now: () => now };
  if (orders > 0) await logPrivacyAct(db, { clock }, { kind: 'old_orders_erased', actor: 'server', orders });
  await db.delete(privacyLog).where(lt(privacyLog.insertedAt, daysBefore(now, keepDays.privacyLog)));
};
