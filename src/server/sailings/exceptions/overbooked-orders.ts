import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server/database/database.ts';

/** An order that no longer fits on its voyage. */
export type OverbookedOrder = { orderId: string; reference: string; contactName: string };

/** What a paid order takes of one resource on one stretch of a voyage. */
type Taken = OverbookedOrder & { place: string; amount: number; total: number };

/**
 * The paid orders that no longer fit since voyages have less room: those with assistance keep their places before the
 * others, and of each those confirmed first. A later one keeps its places if there is room for all of it.
 */
export async function findOverbookedOrders(
  tx: Database,
  voyageIds: readonly string[],
): Promise<OverbookedOrder[]> {
  const taken = await queryRows<Taken>(
    tx,
    sql`
    select o.id as "orderId", o.reference, o.contact_name as "contactName",
      concat_ws(' ', c.voyage_id, c.stretch, c.resource) as place, c.total, sum(p.amount)::int as amount
    from voyage_capacity c
    join sailings s on s.voyage_id = c.voyage_id and s.first_stop <= c.stretch and c.stretch < s.last_stop
    join line_capacity p on p.sailing_id = s.id and p.resource = c.resource
    join order_lines l on l.id = p.line_id and l.status = 'active'
    join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled')
    where c.voyage_id in (select jsonb_array_elements_text(${JSON.stringify(voyageIds)}::jsonb))
    group by c.voyage_id, c.stretch, c.resource, c.total, o.id
    order by o.assistance is null, o.confirmed_at, o.id`,
  );
  const free = new Map(taken.map(({ place, total }) => [place, total]));
  return [...Map.groupBy(taken, ({ orderId }) => orderId).values()].flatMap((parts) => {
    const doesFit = parts.every(({ place, amount }) => amount <= (free.get(place) ?? 0));
    if (doesFit) for (const { place, amount } of parts) free.set(place, (free.get(place) ?? 0) - amount);
    const [first] = parts;
    return doesFit || !first
      ? []
      : [{ orderId: first.orderId, reference: first.reference, contactName: first.contactName }];
  });
}
