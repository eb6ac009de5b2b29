import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { accountCalls } from '#contract/accounts/schemas.ts';
import type { PageMeta } from '#contract/common.ts';
import type { Database } from '../database/database.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { filterCondition, type ListFilter, type ListQuery, pageMeta } from '../http/list-query.ts';

type Field = keyof (typeof accountCalls.listOrders.list)['fields'];

/** The ids of one page of a customer's orders, newest first, with its position in the list. */
export async function findOrderPage(
  db: Database,
  customerId: string,
  query: ListQuery<Field>,
): Promise<{ ids: string[]; meta: PageMeta }> {
  const wanted = and(eq(orders.customerId, customerId), ...buildConditions(query.filters));
  // Counted in the same statement, because a filter that looks at sailings costs most of it.
  const rows = await db
    .select({ id: orders.id, total: sql<number>`(count(*) over ())::int` })
    .from(orders)
    .where(wanted)
    .orderBy(desc(orders.insertedAt), desc(orders.id))
    .limit(query.pageSize)
    .offset(query.offset);
  // A page after the last has no row that tells.
  const total = rows[0]?.total ?? (query.offset > 0 ? await db.$count(orders, wanted) : 0);
  return { ids: rows.map((row) => row.id), meta: pageMeta(query, total) };
}

/** Fields of the order; the others belong to its sailings. */
const ORDER_COLUMNS = {
  status: orders.status,
  reference: orders.reference,
  inserted_at: orders.insertedAt,
} as const;
const SAILING_COLUMNS = { departs_at: sailings.departsAt, route_id: sailings.routeId } as const;

function buildConditions(filters: readonly ListFilter<Field>[]): SQL[] {
  const ofOrder: SQL[] = [];
  const ofOneSailing: SQL[] = [];
  for (const filter of filters) {
    if (filter.field in ORDER_COLUMNS) {
      ofOrder.push(filterCondition(ORDER_COLUMNS[filter.field as keyof typeof ORDER_COLUMNS], filter));
      continue;
    }
    const column: SQLWrapper = SAILING_COLUMNS[filter.field as keyof typeof SAILING_COLUMNS];
    // "Not on this route" applies to the whole order, so none of its legs may be on it.
    if (filter.op === 'not_in') {
      ofOrder.push(sql`not ${hasSailing([filterCondition(column, { ...filter, op: 'in' })])}`);
    } else {
      ofOneSailing.push(filterCondition(column, filter));
    }
  }
  // Combined in one condition: "from Monday, until Tuesday" means one sailing between the two.
  return ofOneSailing.length > 0 ? [...ofOrder, hasSailing(ofOneSailing)] : ofOrder;
}

/** `offset 0` keeps the planner from joining all order lines instead of looking at the customer's few orders. */
function hasSailing(conditions: readonly SQL[]): SQL {
  return sql`exists (
    select 1 from ${orderLines} join ${sailings} on ${sailings.id} = ${orderLines.sailingId}
    where ${orderLines.orderId} = ${orders.id} and ${orderLines.status} <> 'replaced'
      and ${sql.join([...conditions], sql` and `)} offset 0
  )`;
}
