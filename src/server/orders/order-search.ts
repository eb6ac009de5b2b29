import { type SQL, sql } from 'drizzle-orm';
import type { DayPattern, SearchTerm } from '#domain/orders/order-search.ts';
import { foldCode, foldText } from '../database/schema/order-search.ts';
import { orders } from '../database/schema/sales.ts';

/** Whether an order matches every part of a search. Evaluated for the orders of one customer, so it needs no index. */
export function searchCondition(terms: readonly SearchTerm[]): SQL[] {
  return terms.map((term) => sql`(${matchesOrder(term)} or ${matchesSailing(term)})`);
}

function matchesOrder({ text, code }: SearchTerm): SQL {
  const name = sql.raw('n.name');
  return sql`(
    ${contains(foldText(orders.contactName), text)}
    or exists (
      select 1 from jsonb_array_elements_text(${orders.travelerNames}) as n (name)
      where ${contains(foldText(name), text)}
    )
    or ${contains(foldCode(orders.reference), code)}
    or ${contains(foldCode(sql`coalesce(${orders.plate}, '')`), code)}
  )`;
}

/** `offset 0` keeps the planner from joining all order lines. Lines that a change replaced are not shown either. */
function matchesSailing({ text, code, days }: SearchTerm): SQL {
  const local = sql`(s.departs_at at time zone origin.time_zone)`;
  const conditions = [
    ...['origin', 'destination'].flatMap((port) => [
      contains(foldText(sql.raw(`${port}.name`)), text),
      contains(foldCode(sql.raw(`${port}.code`)), code),
    ]),
    ...days.map((day) => isDay(local, day)),
  ];
  return sql`exists (
    select 1 from order_lines l
    join sailings s on s.id = l.sailing_id
    join routes r on r.id = s.route_id
    join ports origin on origin.id = r.origin_port_id
    join ports destination on destination.id = r.destination_port_id
    where l.order_id = ${orders.id} and l.status <> 'replaced' and (${sql.join(conditions, sql` or `)})
    offset 0
  )`;
}

function isDay(local: SQL, { year, month, day }: DayPattern): SQL {
  const parts = Object.entries({ year, month, day }).flatMap(([part, value]) =>
    value === undefined ? [] : sql`extract(${sql.raw(part)} from ${local}) = ${value}::int`,
  );
  return sql`(${sql.join(parts, sql` and `)})`;
}

/** An empty text is in nothing, unlike in SQL. */
function contains(haystack: SQL, needle: string): SQL {
  return needle === '' ? sql`false` : sql`strpos(${haystack}, ${needle}::text) > 0`;
}
