import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server/database/database.ts';

/** A future sailing with paid orders. */
export type SoldSailing = {
  id: string;
  /** Name of its route, such as "North Pier to South Pier". */
  route: string;
  /** The zone of the port of departure. */
  timeZone: string;
  serviceDate: string;
  departsAt: Date;
  /** Tickets of passengers, vehicles and bicycles. */
  tickets: number;
  orderIds: string[];
};

type Row = Record<'id' | 'route' | 'time_zone' | 'service_date', string> & {
  departs_at: Date | string;
  tickets: number;
  order_ids: string[];
};

/** Every sailing after `now` that is not canceled and has paid orders, by id and in the order of departure. */
export async function readSoldSailings(db: Database, now: Date): Promise<Map<string, SoldSailing>> {
  const rows = await queryRows<Row>(
    db,
    sql`
    select s.id, r.name as route, p.time_zone, s.service_date::text, s.departs_at,
      coalesce(sum(l.quantity) filter (where l.kind in ('passenger', 'vehicle', 'bicycle')), 0)::int as tickets,
      array_agg(distinct l.order_id) as order_ids
    from sailings s
    join routes r on r.id = s.route_id
    join ports p on p.id = r.origin_port_id
    join order_lines l on l.sailing_id = s.id and l.status = 'active'
    join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled')
    where s.departs_at > ${now.toISOString()} and s.status <> 'canceled'
    group by s.id, r.name, p.time_zone
    order by s.departs_at, s.id`,
  );
  return new Map(
    rows.map(({ id, route, time_zone, service_date, departs_at, tickets, order_ids }) => [
      id,
      {
        ...{ id, route, tickets },
        timeZone: time_zone,
        serviceDate: service_date,
        departsAt: new Date(departs_at),
        orderIds: order_ids,
      },
    ]),
  );
}

/** The ids of orders that staff sold to be paid later, and that are canceled with some sailings. */
export async function findUnpaidOrders(db: Database, sailingIds: readonly string[]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
    select distinct o.id from orders o
    join order_lines l on l.order_id = o.id and l.status = 'active'
    where o.sold_by is not null and o.status in ('held', 'awaiting_payment')
      and l.sailing_id in (select jsonb_array_elements_text(${JSON.stringify(sailingIds)}::jsonb))`,
  );
  return rows.map(({ id }) => id);
}
