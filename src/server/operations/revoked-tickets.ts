import { sql } from 'drizzle-orm';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';
import { VALID_MINUTES_AFTER_DEPARTURE } from '../orders/tickets/issue-tickets.ts';

type Row = {
  ticket: string;
  order: string;
  sailing: string;
  passengers: number;
  vehicles: number;
  bicycles: number;
};

/**
 * The tickets that were canceled or replaced while their codes are still genuine, for gates without a connection. With
 * each, what its order still has on the sailing: the code of a whole party for more than that is older than the
 * cancellation.
 */
export async function listRevokedTickets(db: Database, now: Date): Promise<Table> {
  const expired = new Date(now.getTime() - VALID_MINUTES_AFTER_DEPARTURE * 60_000);
  const rows = await queryRows<Row>(
    db,
    sql`
    select t.id as ticket, o.reference as "order", t.sailing_id as sailing,
      count(l.id) filter (where l.kind = 'passenger')::int as passengers,
      count(l.id) filter (where l.kind = 'vehicle')::int as vehicles,
      count(l.id) filter (where l.kind = 'bicycle')::int as bicycles
    from sailings s
    join tickets t on t.sailing_id = s.id and t.status in ('canceled', 'replaced')
    join orders o on o.id = t.order_id
    left join tickets l on l.order_id = t.order_id and l.sailing_id = t.sailing_id
      and l.status in ('issued', 'checked_in', 'boarded')
    where s.departs_at > ${expired}
    group by t.id, o.reference, t.sailing_id, s.departs_at
    order by s.departs_at, o.reference, t.id`,
  );
  return {
    columns: ['ticket', 'order', 'sailing', 'passengers', 'vehicles', 'bicycles'],
    rows: rows.map((row) => [row.ticket, row.order, row.sailing, row.passengers, row.vehicles, row.bicycles]),
  };
}
