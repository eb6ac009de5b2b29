import { createHash } from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { Context } from '../context.ts';
import { getRequestId } from '../core/request-id.ts';
import type { Database } from '../database/database.ts';
import { type AuditedFields, type AuditRow, auditLog } from '../database/schema/audit.ts';

/** Who acts. `network`: of the client's address, see `getNetwork`. */
export type AuditActor = StaffActor | { kind: 'command'; systemUser: string } | { kind: 'server' };

export type StaffActor = {
  kind: 'staff';
  staffId: string;
  role: StaffRole;
  device: string;
  network: string;
};

/** `before` and `after`: the object's fields; those that are equal in both are not stored. */
export type AuditEntry = Pick<AuditRow, 'action' | 'objectKind' | 'objectId' | 'reason'> & {
  actor: AuditActor;
  before: AuditedFields;
  after: AuditedFields;
};

/**
 * Records an action in the transaction that performs it. Call it last, because it makes other transactions that record
 * something wait for the end of this one.
 */
export async function recordAudit(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { actor, before, after, ...entry }: AuditEntry,
): Promise<void> {
  // The lock number is arbitrary. Two entries after the same one would break the chain.
  await tx.execute(sql`select pg_advisory_xact_lock(7241992)`);
  const [last] = await tx
    .select({ seq: auditLog.seq, hash: auditLog.hash })
    .from(auditLog)
    .orderBy(desc(auditLog.seq))
    .limit(1);
  const row = {
    seq: (last?.seq ?? 0) + 1,
    insertedAt: clock.now(),
    ...actorColumns(actor),
    requestId: getRequestId() ?? null,
    ...entry,
    before: omitEqual(before, after),
    after: omitEqual(after, before),
    previousHash: last?.hash ?? '',
  };
  await tx.insert(auditLog).values({ ...row, hash: hashEntry(row) });
}

/** The hash of an entry and, through `previousHash`, of all entries before it. */
export function hashEntry({ before, after, ...row }: Omit<AuditRow, 'hash'>): string {
  const values = [
    row.seq,
    row.insertedAt.toISOString(),
    row.actorKind,
    row.actorId,
    row.actorRole,
    row.device,
    row.network,
    row.requestId,
    row.action,
    row.objectKind,
    row.objectId,
    sortFields(before),
    sortFields(after),
    row.reason,
    row.previousHash,
  ];
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

type ActorColumns = Pick<AuditRow, 'actorKind' | 'actorId' | 'actorRole' | 'device' | 'network'>;

function actorColumns(actor: AuditActor): ActorColumns {
  const columns = { actorKind: actor.kind, actorId: null, actorRole: null, device: null, network: null };
  switch (actor.kind) {
    case 'staff': {
      const { staffId, role, device, network } = actor;
      return { ...columns, actorId: staffId, actorRole: role, device, network };
    }
    case 'command':
      return { ...columns, actorId: actor.systemUser };
    case 'server':
      return columns;
  }
}

function omitEqual(fields: AuditedFields, others: AuditedFields): AuditedFields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== others[name]));
}

/** The database does not keep the order of fields. */
function sortFields(fields: AuditedFields) {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}
