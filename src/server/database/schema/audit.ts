import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_OBJECT_KINDS } from '#contract/staff/audit/kinds.ts';
import { STAFF_ROLES } from '#contract/staff/permissions.ts';
import { instant } from './columns.ts';

/** Values of an object's fields by name, only of those that the action changed. */
export type AuditedFields = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What staff, commands and the server did with consequences for money or rights. Triggers refuse every update, deletion and
 * truncation, and each entry has a hash of itself and of the entry before.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 1, 2, 3 … without gaps. */
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    insertedAt: instant('inserted_at').notNull(),
    actorKind: text('actor_kind', { enum: AUDIT_ACTOR_KINDS }).notNull(),
    /** A staff member's id or the system user of a command; null for the server. Not a foreign key, because entries stay. */
    actorId: text('actor_id'),
    /** The staff member's role at that time. */
    actorRole: text('actor_role', { enum: STAFF_ROLES }),
    device: text('device'),
    /** The network of the staff member's address, not the whole address. */
    network: text('network'),
    requestId: text('request_id'),
    action: text('action', { enum: AUDIT_ACTIONS }).notNull(),
    objectKind: text('object_kind', { enum: AUDIT_OBJECT_KINDS }).notNull(),
    objectId: text('object_id').notNull(),
    before: jsonb('before').$type<AuditedFields>().notNull(),
    after: jsonb('after').$type<AuditedFields>().notNull(),
    reason: text('reason'),
    /** Empty in the first entry. */
    previousHash: text('previous_hash').notNull(),
    /** SHA-256, in hex. */
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_log_by_actor').on(table.actorId, table.seq),
    index('audit_log_by_action').on(table.action, table.seq),
    index('audit_log_by_time').on(table.insertedAt),
    index('audit_log_by_object').on(table.objectId, table.seq),
  ],
);

export type AuditRow = typeof auditLog.$inferSelect;
