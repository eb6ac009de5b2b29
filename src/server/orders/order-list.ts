import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import type { orderHistoryCalls } from '#contract/orders/history/schemas.ts';
import { parseSearch } from '#domain/orders/order-search.ts';
import type { Database } from '../database/database.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { filterCondition, type ListFilter, type ListQuery, pageMeta } from '../http/list-query.ts';
import { searchCondition } from './order-search.ts';

type Field = keyof (typeof orderHistoryCalls.listOrders.list)['fields'];

/** `search`: as typed, in the language. `sort`: by departure instead of purchase. */
type OrderListInput = {
  customerId: string;
  list: ListQuery<Field>;
  language: string;
  search?: string | undefined;
  sort?: Sort | undefined;
};
type Sort = 'departs_at' | '-departs_at';

/** The ids of one page of a customer's orders, with its position in the list. */
export async function findOrderPage(
  db: Database,
  { customerId, list: query, language, search = '', sort }: OrderListInput,
): Promise<{ ids: string[]; meta: PageMeta }> {
  const { ofOrder, ofOneSailing } = buildConditions(query.filters);
  // Combined in one condition: "from Monday, until Tuesday" means one sailing between the two.
  const conditions = ofOneSailing.length > 0 ? [...ofOrder, hasSailing(ofOneSailing)] : ofOrder;
  const isMatch = and(
    eq(orders.customerId, customerId),
    ...conditions,
    ...searchCondition(parseSearch(search, language)),
  );
  // Counted in the same statement, because a filter that looks at sailings costs most of it.
  const rows = await db
    .select({ id: orders.id, total: sql<number>`(count(*) over ())::int` })
    .from(orders)
    .where(isMatch)
    .orderBy(...(sort ? [byDeparture(sort, ofOneSailing)] : []), desc(orders.insertedAt), desc(orders.id))
    .limit(query.pageSize)
    .offset(query.offset);
  // A page after the last has no row that tells.
  const total = rows[0]?.total ?? (query.offset > 0 ? await db.$count(orders, isMatch) : 0);
  return { ids: rows.map((row) => row.id), meta: pageMeta(query, total) };
}

/** Fields of the order; the others belong to its sailings. */
const ORDER_COLUMNS = {
  status: orders.status,
  reference: orders.reference,
  inserted_at: orders.insertedAt,
} as const;
const SAILING_COLUMNS = { departs_at: sailings.departsAt, route_id: sailings.routeId } as const;

function buildConditions(filters: readonly ListFilter<Field>[]): { ofOrder: SQL[]; ofOneSailing: SQL[] } {
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
  return { ofOrder, ofOneSailing };
}

/** By the first or last departure among the sailings that the filters ask for. */
function byDeparture(sort: Sort, conditions: readonly SQL[]): SQL {
  const departure = (which: SQL) => sql`(select ${which} from ${sailingsOfOrder(conditions)})`;
  const column = sailings.departsAt;
  return sort === 'departs_at'
    ? sql`${departure(sql`min(${column})`)} asc nulls last`
    : sql`${departure(sql`max(${column})`)} desc nulls last`;
}

/** `offset 0` keeps the planner from joining all order lines instead of looking at the customer's few orders. */
function hasSailing(conditions: readonly SQL[]): SQL {
  return sql`exists (select 1 from ${sailingsOfOrder(conditions)} offset 0)`;
}

/** Sailings of lines that a change replaced do not count. */
function sailingsOfOrder(conditions: readonly SQL[]): SQL {
  const isCurrent = sql`${orderLines.orderId} = ${orders.id} and ${orderLines.status} <> 'replaced'`;
  return sql`${orderLines} join ${sailings} on ${sailings.id} = ${orderLines.sailingId}
    where ${sql.join([isCurrent, ...conditions], sql` and `)}`;
}
