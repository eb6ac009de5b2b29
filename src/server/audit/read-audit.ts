import { desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { PageMeta } from '#contract/common.ts';
import type { AuditObjectKind } from '#contract/staff/audit/kinds.ts';
import type { AuditEntry } from '#contract/staff/audit/schemas.ts';
import { getClockTime, getLocalDay } from '#domain/time/port-time.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { type AuditedFields, type AuditRow, auditLog } from '../database/schema/audit.ts';
import { invoices } from '../database/schema/invoices.ts';
import { customers } from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { gateDevices, staffMembers } from '../database/schema/staff.ts';
import { feed, ports, routes, sailings } from '../database/schema/timetable.ts';
import { cardSales, tripCards } from '../database/schema/trip-cards.ts';
import { pageMeta } from '../http/list-query.ts';
import { type AuditQuery, matchesFilters } from './filter-audit.ts';

/** One page of the audit log, newest first, with the names of people and things as they are now. */
export async function readAuditPage(
  db: Database,
  list: AuditQuery,
): Promise<{ entries: AuditEntry[]; meta: PageMeta }> {
  const isMatch = matchesFilters(list.filters);
  const [total, rows] = await Promise.all([
    db.$count(auditLog, isMatch),
    db
      .select({ entry: auditLog, name: staffMembers.name })
      .from(auditLog)
      .leftJoin(staffMembers, eq(staffMembers.id, auditLog.actorId))
      .where(isMatch)
      .orderBy(desc(auditLog.seq))
      .limit(list.pageSize)
      .offset(list.offset),
  ]);
  const objects = await findObjects(
    db,
    rows.map(({ entry }) => entry),
  );
  const entries = rows.map(({ entry, name }) =>
    presentEntry(entry, { name, object: objects.get(entry.objectId) }),
  );
  return { entries, meta: pageMeta(list, total) };
}

type FoundObject = { label: string; currency: string | null };

function presentEntry(
  row: AuditRow,
  { name, object }: { name: string | null; object: FoundObject | undefined },
): AuditEntry {
  return {
    seq: row.seq,
    at: row.insertedAt.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name, role: row.actorRole, device: row.device },
    action: row.action,
    object: {
      kind: row.objectKind,
      id: row.objectId,
      label: object?.label ?? null,
      currency: object?.currency ?? null,
    },
    changes: listChanges(row.before, row.after),
    reason: row.reason,
  };
}

function listChanges(before: AuditedFields, after: AuditedFields): AuditEntry['changes'] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields.map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

/** What people call the objects of entries, by id. */
async function findObjects(db: Database, rows: readonly AuditRow[]): Promise<Map<string, FoundObject>> {
  const idsOf = (kind: AuditObjectKind) =>
    rows.filter(({ objectKind }) => objectKind === kind).map(({ objectId }) => objectId);
  const found = await Promise.all([
    findLabels(db, { from: orders, label: orders.reference, currency: orders.currency }, idsOf('order')),
    // The amounts in a person's entries are those of their cash drawer.
    findLabels(
      db,
      {
        from: staffMembers,
        label: staffMembers.name,
        currency: sql`(select ${feed.currency} from ${feed} limit 1)`,
      },
      idsOf('staff'),
    ),
    findLabels(db, { from: customers, label: customers.name }, idsOf('customer')),
    findLabels(db, { from: ports, label: ports.name }, idsOf('port')),
    findLabels(db, { from: gateDevices, label: gateDevices.name }, idsOf('gate_device')),
    findLabels(
      db,
      {
        from: tripCards,
        label: sql`right(${tripCards.number}, 4)`,
        currency: sql`case when ${tripCards.unit} = 'money' then ${tripCards.currency} end`,
      },
      idsOf('trip_card'),
    ),
    nameSettings(db, idsOf('settings')),
    findLabels(
      db,
      {
        from: invoices,
        label: sql`(select r.number from receipts r where r.id = ${invoices.receiptId})`,
        currency: invoices.currency,
      },
      idsOf('invoice'),
    ),
    findLabels(
      db,
      { from: cardSales, label: sql`${cardSales.cards}::text`, currency: cardSales.currency },
      idsOf('card_sale'),
    ),
    findDepartures(db, sailings.id, idsOf('sailing')),
    findDepartures(db, sailings.voyageId, idsOf('voyage')),
  ]);
  return new Map(found.flat());
}

type Labeled = {
  from: PgTable & { id: PgColumn };
  label: PgColumn | SQL;
  currency?: PgColumn | SQL;
};

async function findLabels(
  db: Database,
  { from, label, currency = sql`null` }: Labeled,
  ids: readonly string[],
): Promise<[id: string, object: FoundObject][]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      id: sql<string>`${from.id}`,
      label: sql<string>`${label}`,
      currency: sql<string | null>`${currency}`,
    })
    .from(from)
    .where(inArray(from.id, [...ids]));
  return rows.map(({ id, ...object }) => [id, object]);
}

/** There is one of them. Their amounts are in the operator's currency. */
async function nameSettings(
  db: Database,
  ids: readonly string[],
): Promise<[id: string, object: FoundObject][]> {
  if (ids.length === 0) return [];
  const { currency } = await getOperator(db);
  return ids.map((id) => [id, { label: id, currency }]);
}

/** Departures as the commands name them: local day, port and local time. Of a voyage the first one. */
async function findDepartures(
  db: Database,
  column: PgColumn,
  ids: readonly string[],
): Promise<[id: string, object: FoundObject][]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      id: sql<string>`${column}`,
      departsAt: sailings.departsAt,
      port: ports.code,
      timeZone: ports.timeZone,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .where(inArray(column, [...ids]))
    // The last one of an id stays in the map.
    .orderBy(desc(sailings.departsAt));
  return rows.map(({ id, departsAt, port, timeZone }) => {
    const at = departsAt.getTime();
    const label = `${getLocalDay(at, timeZone)} ${port} ${getClockTime(at, timeZone)}`;
    return [id, { label, currency: null }];
  });
}
