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
  cash: number;
  terminal: number;
  invoice: number;
  refunded: number;
  passes: number;
  passes_paid: number;
  top_ups: number;
  top_ups_paid: number;
};

/**
 * What was sold on each calendar day of a zone: orders, with the tickets first issued, by the day of their confirmation;
 * payments, refunds, passes and top-ups by the day of theirs, so that a change that is paid later leaves earlier days as
 * they are. What trips of a pass or the balance of a trip card pay for counts as paid by trip card, so `net` is without
 * the price of passes and without top-ups. `cash` and `terminal` were taken by staff; `invoice` was sold
 * on invoices, paid or not. Amounts are decimal numbers in the currency's units.
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
    with paid as (
      select p.amount, p.method, p.currency,
        case when p.change_id is null then coalesce(o.confirmed_at, p.updated_at) else p.updated_at end as paid_at
      from payments p join orders o on o.id = p.order_id where p.status = 'succeeded'
    ),
    changes as (
      select (o.confirmed_at at time zone ${zone})::date as day, o.currency, 1 as orders, t.passengers, t.vehicles,
        0 as card, 0 as trip_card, 0 as cash, 0 as terminal, 0 as invoice,
        0 as refunded, 0 as passes, 0 as passes_paid, 0 as top_ups, 0 as top_ups_paid
      from orders o
      cross join lateral (
        select count(*) filter (where kind = 'passenger') as passengers,
          count(*) filter (where kind = 'vehicle') as vehicles
        from tickets where order_id = o.id and leg = 'out'
          and issued_at = (select min(issued_at) from tickets where order_id = o.id)
      ) t
      where ${isInRange(sql`o.confirmed_at`)}
      union all
      select (paid_at at time zone ${zone})::date, currency, 0, 0, 0,
        case when method = 'card' then amount else 0 end, case when method = 'trip_card' then amount else 0 end,
        case when method = 'cash' then amount else 0 end, case when method = 'terminal' then amount else 0 end,
        case when method = 'invoice' then amount else 0 end, 0, 0, 0, 0, 0
      from paid where ${isInRange(sql`paid_at`)}
      union all
      select (r.inserted_at at time zone ${zone})::date, o.currency, 0, 0, 0, 0, 0, 0, 0, 0, r.amount, 0, 0, 0, 0
      from refunds r join orders o on o.id = r.order_id
      where r.status <> 'failed' and ${isInRange(sql`r.inserted_at`)}
      union all
      select (t.completed_at at time zone ${zone})::date, t.currency, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        case when t.pass is null then 0 else 1 end, case when t.pass is null then 0 else t.amount end,
        case when t.pass is null then 1 else 0 end, case when t.pass is null then t.amount else 0 end
      from top_ups t
      where t.status = 'succeeded' and t.taken_back_at is null and ${isInRange(sql`t.completed_at`)}
    )
    select day::text, currency, sum(orders)::int as orders, sum(passengers)::int as passengers,
      sum(vehicles)::int as vehicles, sum(card)::float8 as card, sum(trip_card)::float8 as trip_card,
      sum(cash)::float8 as cash, sum(terminal)::float8 as terminal, sum(invoice)::float8 as invoice,
      sum(refunded)::float8 as refunded, sum(passes)::int as passes, sum(passes_paid)::float8 as passes_paid,
      sum(top_ups)::int as top_ups, sum(top_ups_paid)::float8 as top_ups_paid
    from changes group by day, currency order by day, currency`,
  );
  return {
    columns: [
      ...[
        'day',
        'orders',
        'passengers',
        'vehicles',
        'card',
        'trip_card',
        'cash',
        'terminal',
        'invoice',
        'refunded',
        'net',
      ],
      ...['passes', 'passes_paid', 'top_ups', 'top_ups_paid', 'currency'],
    ],
    rows: days.map((row) => {
      const paid = [row.card, row.trip_card, row.cash, row.terminal, row.invoice];
      const net = paid.reduce((sum, amount) => sum + amount, -row.refunded);
      const amounts = [...paid, row.refunded, net];
      return [
        row.day,
        row.orders,
        row.passengers,
        row.vehicles,
        ...amounts.map((amount) => toDecimal(amount, row.currency)),
        row.passes,
        toDecimal(row.passes_paid, row.currency),
        row.top_ups,
        toDecimal(row.top_ups_paid, row.currency),
        row.currency,
      ];
    }),
  };
}
