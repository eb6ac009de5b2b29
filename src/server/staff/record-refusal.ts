import { and, eq, gt } from 'drizzle-orm';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { auditLog } from '../database/schema/audit.ts';
import { inTransaction } from '../database/transactions.ts';
import type { StaffSession } from '../http/api.ts';
import type { Client } from '../http/client.ts';
import { describeStaffActor } from './actor.ts';
import { requireLockedStaff } from './members.ts';

const MINUTE_MS = 60_000;

/** Records that someone's role did not allow a call, once per person, call and minute: the log cannot be flooded. */
export async function recordRefusal(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  {
    session,
    call,
    client,
  }: { session: StaffSession; call: { method: string; path: string }; client: Client },
): Promise<void> {
  const objectId = `${call.method} ${call.path}`;
  const isRecent = and(
    eq(auditLog.actorId, session.staffId),
    eq(auditLog.action, 'call_refused'),
    eq(auditLog.objectId, objectId),
    gt(auditLog.insertedAt, new Date(clock.now().getTime() - MINUTE_MS)),
  );
  await inTransaction(db, async (tx) => {
    await requireLockedStaff(tx, session.staffId);
    if ((await tx.$count(auditLog, isRecent)) > 0) return;
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor: describeStaffActor(session, client), action: 'call_refused' },
        ...{ objectKind: 'call', objectId, before: {}, after: {}, reason: null },
      },
    );
  });
}
