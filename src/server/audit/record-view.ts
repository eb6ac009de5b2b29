import { and, eq, gt } from 'drizzle-orm';
import type { ViewAction } from '#contract/staff/audit/kinds.ts';
import type { Context } from '../context.ts';
import { auditLog } from '../database/schema/audit.ts';
import { inTransaction } from '../database/transactions.ts';
import { type AuditEntry, recordAudit, type StaffActor } from './record-audit.ts';

/** A list that is loaded again and again is recorded once in this time for each person and device. */
const REPEAT_MS = 3_600_000;

type View = Pick<AuditEntry, 'objectKind' | 'objectId'> & {
  actor: StaffActor;
  action: ViewAction;
  /** If the person gave one; then it is recorded each time. */
  reason?: string | null;
};

/** Records that a staff member looked at data about persons. Call it before the data is sent. */
export async function recordView(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { actor, action, objectKind, objectId, reason = null }: View,
): Promise<void> {
  const isRecent = and(
    eq(auditLog.actorId, actor.staffId),
    eq(auditLog.device, actor.device),
    eq(auditLog.action, action),
    eq(auditLog.objectId, objectId),
    gt(auditLog.insertedAt, new Date(clock.now().getTime() - REPEAT_MS)),
  );
  if (reason === null && (await db.$count(auditLog, isRecent)) > 0) return;
  await inTransaction(db, (tx) =>
    recordAudit(tx, { clock }, { actor, action, objectKind, objectId, reason, before: {}, after: {} }),
  );
}
