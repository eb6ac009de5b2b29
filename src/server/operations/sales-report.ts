import { sql } from 'drizzle-orm';
import { toDecimal } from '#domain/fares/money.ts';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';

type DaySales = {
  day: string;
  currency: string;
  orders: number;
  passengers: number;
  vehicles: number;
  card: number;
  trip_card: number;
  refunded: number;
  passes: number;
  passes_paid: number;
};

/**
 * What was sold on each calendar day of a zone: orders by the day of their confirmation, refunds by the day of theirs,
 * passes by the day of their payment. What trips of a pass pay for counts as paid by trip card, so `net` is without the
 * price of the passes. Amounts are decimal numbers in the currency's units.
 * @param input from, until: days, both inclusive
 */
export async function reportSales(
  db: Database,
  { from, until, zone }: { from: string; until: string; zone: string },
): Promise<Table> {
  const isInRange = (instant: ReturnType<typeof sql>) => sql`
    (${instant} at time zone ${zone})::date between ${from}::date and ${until}::date`;
  const days = await queryRows<DaySales>(
    db,
    sql`
    with sold as (
      select o.id, o.currency, (o.confirmed_at at time zone ${zone})::date as day
      from orders o where ${isInRange(sql`o.confirmed_at`)}
    ),
    changes as (
      select s.day, s.currency, 1 as orders, t.passengers, t.vehicles, p.card, p.trip_card, 0 as refunded,
        0 as passes, 0 as passes_paid
      from sold s
      cross join lateral (
        select count(*) filter (where kind = 'passenger') as passengers,
          count(*) filter (where kind = 'vehicle') as vehicles
        from tickets where order_id = s.id and leg = 'out' and status <> 'replaced'
      ) t
      cross join lateral (
        select coalesce(sum(amount) filter (where method = 'card'), 0) as card,
          coalesce(sum(amount) filter (where method = 'trip_card'), 0) as trip_card
        from payments where order_id = s.id and status = 'succeeded'
      ) p
      union all
      select (r.inserted_at at time zone ${zone})::date, o.currency, 0, 0, 0, 0, 0, r.amount, 0, 0
      from refunds r join orders o on o.id = r.order_id
      where r.status <> 'failed' and ${isInRange(sql`r.inserted_at`)}
      union all
      select (t.completed_at at time zone ${zone})::date, t.currency, 0, 0, 0, 0, 0, 0, 1, t.amount
      from top_ups t
      where t.pass is not null and t.status = 'succeeded' and ${isInRange(sql`t.completed_at`)}
    )
    select day::text, currency, sum(orders)::int as orders, sum(passengers)::int as passengers,
      sum(vehicles)::int as vehicles, sum(card)::float8 as card, sum(trip_card)::float8 as trip_card,
      sum(refunded)::float8 as refunded, sum(passes)::int as passes, sum(passes_paid)::float8 as passes_paid
    from changes group by day, currency order by day, currency`,
  );
  return {
    columns: [
      ...['day', 'orders', 'passengers', 'vehicles', 'card', 'trip_card', 'refunded', 'net'],
      ...['passes', 'passes_paid', 'currency'],
    ],
    rows: days.map((row) => {
      const amounts = [row.card, row.trip_card, row.refunded, row.card + row.trip_card - row.refunded];
      return [
        row.day,
        row.orders,
        row.passengers,
        row.vehicles,
        ...amounts.map((amount) => toDecimal(amount, row.currency)),
        row.passes,
        toDecimal(row.passes_paid, row.currency),
        row.currency,
      ];
    }),
  };
}
