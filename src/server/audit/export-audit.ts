import { desc, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { formatCsv, type Table } from '../csv/format-table.ts';
import type { Database } from '../database/database.ts';
import { type AuditedFields, auditLog } from '../database/schema/audit.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { inTransaction } from '../database/transactions.ts';
import { type AuditFilters, matchesFilters } from './filter-audit.ts';
import { type AuditActor, recordAudit } from './record-audit.ts';

/** The entries of the audit log that match, newest first. `name`: a staff member's, as it is now. */
export async function listAuditEntries(db: Database, filters: AuditFilters = []): Promise<Table> {
  const rows = await db
    .select({ entry: auditLog, name: staffMembers.name })
    .from(auditLog)
    .leftJoin(staffMembers, eq(staffMembers.id, auditLog.actorId))
    .where(matchesFilters(filters))
    .orderBy(desc(auditLog.seq));
  return {
    columns: [
      ...['entry', 'at', 'by', 'who', 'name', 'role', 'device', 'network', 'action'],
      ...['kind', 'object', 'before', 'after', 'reason'],
    ],
    rows: rows.map(({ entry, name }) => [
      entry.seq,
      entry.insertedAt.toISOString(),
      entry.actorKind,
      entry.actorId ?? '',
      name ?? '',
      entry.actorRole ?? '',
      entry.device ?? '',
      entry.network ?? '',
      entry.action,
      entry.objectKind,
      entry.objectId,
      describeFields(entry.before),
      describeFields(entry.after),
      entry.reason ?? '',
    ]),
  };
}

/** The entries that match as CSV. The export itself becomes the newest entry, which the file does not have yet. */
export async function exportAuditLog(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { filters, actor }: { filters: AuditFilters; actor: AuditActor },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const table = await listAuditEntries(tx, filters);
    const conditions = filters.map(({ field, op, values }) => `${field} ${op} ${values.join(', ')}`);
    await recordAudit(
      tx,
      { clock },
      {
        actor,
        action: 'audit_exported',
        objectKind: 'audit_log',
        objectId: 'audit_log',
        before: {},
        after: { entries: table.rows.length, filters: conditions.join('; ') || null },
        reason: null,
      },
    );
    return formatCsv(table);
  });
}

function describeFields(fields: AuditedFields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
