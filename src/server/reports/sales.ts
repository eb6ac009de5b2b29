import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { describePeriod, type Period, queryReport, type ReportRows, sumOf } from './report-query.ts';

/**
 * What was sold, by day of booking, route, product and tax rate. A ticket that is taxed at several rates is counted at the
 * first. What belongs to an order that was sold in an earlier month
 * (a refund, a change) is in rows of its own, which name that month. Fares that gates charge to trip cards have no order,
 * no route and no tax rate; their product is the place.
 */
export function reportSales(db: Database, period: Period): Promise<ReportRows> {
  const { isIn, toDay, toMonth } = describePeriod(period);
  const bookedAt = sql`e.booked_at`;
  return queryReport(
    db,
    [
      ...(['day', 'route', 'kind', 'product', 'tax_percent', 'tax_name', 'belongs_to'] as const),
      ...(['tickets', 'net', 'tax', 'gross', 'currency'] as const),
    ],
    sql`
      select ${toDay(bookedAt)}::text as day, e.route, e.kind, coalesce(p.name, v.name, '') as product,
        e.tax_bp as tax_percent, e.tax_name,
        case when ${toMonth(sql`o.confirmed_at`)} < ${toMonth(bookedAt)} then ${toMonth(sql`o.confirmed_at`)} else '' end
          as belongs_to,
        ${sumOf(sql`e.quantity`)} as tickets, ${sumOf(sql`e.gross - e.tax`)} as net, ${sumOf(sql`e.tax`)} as tax,
        ${sumOf(sql`e.gross`)} as gross, e.currency
      from sale_entries e
      join orders o on o.id = e.order_id
      left join passenger_types p on e.kind = 'passenger' and p.code = e.type_code
      left join vehicle_types v on e.kind = 'vehicle' and v.code = e.type_code
      where ${isIn(bookedAt)}
      group by 1, 2, 3, 4, 5, 6, 7, e.currency
      having sum(e.quantity) <> 0 or sum(e.gross) <> 0 or sum(e.tax) <> 0
      union all
      select ${toDay(sql`e.inserted_at`)}::text, '', 'gate_fare', coalesce(e.place, ''), 0, '', '', 0,
        ${sumOf(sql`-e.amount`)}, 0, ${sumOf(sql`-e.amount`)}, c.currency
      from trip_card_entries e join trip_cards c on c.id = e.trip_card_id
      where c.unit = 'money' and e.order_id is null and e.kind in ('fare', 'refund_in') and ${isIn(sql`e.inserted_at`)}
      group by 1, 4, c.currency having sum(e.amount) <> 0
      order by 1, 2, 3, 4, 5, 6, 7, currency
    `,
  );
}

/**
 * Tickets that are sold and not yet traveled, by currency: opening + sold − refunded − traveled − lapsed = closing.
 * `sold` and `refunded` are what orders became worth more or less at a time, so that a discount is no refund. `lapsed`: of
 * passengers who did not come.
 */
export function reportDeferred(db: Database, period: Period): Promise<ReportRows> {
  const { start, end } = describePeriod(period);
  const isOpening = sql`booked_at < ${start} and travel_day >= ${period.from}::date`;
  const isClosing = sql`booked_at < ${end} and travel_day > ${period.until}::date`;
  const isBooked = sql`booked_at >= ${start} and booked_at < ${end} and travel_day is not null`;
  return queryReport(
    db,
    ['opening', 'sold', 'refunded', 'traveled', 'lapsed', 'closing', 'currency'],
    sql`
      with entries as (
        select * from sale_entries where travel_day is not null and booked_at < ${end}
          and (travel_day >= ${period.from}::date or booked_at >= ${start})
      ),
      totals as (
        select currency, ${sumOf(sql`opening`)} as opening, ${sumOf(sql`booked`, sql`booked > 0`)} as sold,
          ${sumOf(sql`-booked`, sql`booked < 0`)} as refunded, ${sumOf(sql`closing`)} as closing
        from (
          select currency, ${sumOf(sql`gross`, isOpening)} as opening, ${sumOf(sql`gross`, isBooked)} as booked,
            ${sumOf(sql`gross`, isClosing)} as closing
          from entries group by order_id, booked_at, currency
        ) bookings group by currency
      ),
      lines as (
        select line_id, currency, sum(gross) as worth from entries
        where line_id is not null and travel_day between ${period.from}::date and ${period.until}::date
        group by line_id, currency
      ),
      absent as (
        select l.currency, sum(round(l.worth * t.absent / t.tickets))::float8 as lapsed
        from lines l
        cross join lateral (
          select count(*) as tickets, count(*) filter (where status in ('no_show', 'expired')) as absent
          from tickets where line_id = l.line_id and status not in ('canceled', 'replaced')
        ) t
        where t.absent > 0
        group by l.currency
      )
      select t.*, coalesce(a.lapsed, 0) as lapsed,
        t.opening + t.sold - t.refunded - t.closing - coalesce(a.lapsed, 0) as traveled
      from totals t left join absent a on a.currency = t.currency
      order by t.currency
    `,
  );
}
