import { and, type SQL } from 'drizzle-orm';
import type { auditCalls } from '#contract/staff/audit/schemas.ts';
import { auditLog } from '../database/schema/audit.ts';
import { filterCondition, type ListFilter, type ListQuery } from '../http/list-query.ts';

type Field = keyof (typeof auditCalls.listAuditEntries.list)['fields'];

export type AuditQuery = ListQuery<Field>;
export type AuditFilters = readonly ListFilter<Field>[];

const COLUMNS = {
  actor_id: auditLog.actorId,
  actor_kind: auditLog.actorKind,
  action: auditLog.action,
  object_id: auditLog.objectId,
  at: auditLog.insertedAt,
} as const;

/** The condition of entries that match all filters; undefined without any. */
export function matchesFilters(filters: AuditFilters): SQL | undefined {
  return and(...filters.map((filter) => filterCondition(COLUMNS[filter.field], filter)));
}
