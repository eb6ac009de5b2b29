import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { isDisputedRefund } from './payouts.ts';
import { describePeriod, type Period, queryReport, type ReportRows, sumOf } from './report-query.ts';

/**
 * Payments and refunds by method: of orders, and of top-ups and passes. What a payer's bank takes off a trip card, to which the
 * disputed payment was refunded, counts like a disputed top-up.
 */
export function reportMoney(db: Database, period: Period): Promise<ReportRows> {
  const { isIn } = describePeriod(period);
  return queryReport(
    db,
    ['source', 'method', 'payments', 'refunds', 'net', 'currency'],
    sql`
      with entries as (
        select case when order_id is null then 'top_up' else 'order' end as source, method, amount,
          refund_id is not null as is_refund, currency
        from money_entries where ${isIn(sql`booked_at`)}
        union all
        select 'top_up', 'dispute', e.amount, false, c.currency
        from trip_card_entries e join trip_cards c on c.id = e.trip_card_id
        where c.unit = 'money' and ${isDisputedRefund} and ${isIn(sql`e.inserted_at`)}
      )
      select source, method, ${sumOf(sql`amount`, sql`not is_refund`)} as payments,
        ${sumOf(sql`-amount`, sql`is_refund`)} as refunds, ${sumOf(sql`amount`)} as net, currency
      from entries group by 1, 2, currency order by 1, 2, currency
    `,
  );
}

/**
 * Orders whose worth differs from the money for them, at the start or at the end: opening + sales − payments + refunds =
 * closing. Positive: the customer owes it; negative: it is owed to the customer.
 */
export function reportOpenItems(db: Database, period: Period): Promise<ReportRows> {
  const { start, end, isIn } = describePeriod(period);
  return queryReport(
    db,
    ['reference', 'opening', 'sales', 'payments', 'refunds', 'closing', 'currency'],
    sql`
      with sold as (
        select order_id, sum(gross) filter (where booked_at < ${start}) as opening,
          sum(gross) filter (where ${isIn(sql`booked_at`)}) as sales
        from sale_entries where booked_at < ${end} group by order_id
      ),
      money as (
        select order_id, sum(amount) filter (where booked_at < ${start}) as opening,
          sum(amount) filter (where refund_id is null and ${isIn(sql`booked_at`)}) as payments,
          sum(-amount) filter (where refund_id is not null and ${isIn(sql`booked_at`)}) as refunds
        from money_entries where booked_at < ${end} and order_id is not null group by order_id
      ),
      items as (
        select o.reference, (coalesce(s.opening, 0) - coalesce(m.opening, 0))::float8 as opening,
          coalesce(s.sales, 0)::float8 as sales, coalesce(m.payments, 0)::float8 as payments,
          coalesce(m.refunds, 0)::float8 as refunds, o.currency
        from sold s full join money m on m.order_id = s.order_id
        join orders o on o.id = coalesce(s.order_id, m.order_id)
      )
      select *, opening + sales - payments + refunds as closing from items
      where opening <> 0 or opening + sales - payments + refunds <> 0
      order by reference
    `,
  );
}

/** What each member of staff took and paid out in person, by day. */
export function reportCashUp(db: Database, period: Period): Promise<ReportRows> {
  const { isIn, toDay } = describePeriod(period);
  return queryReport(
    db,
    ['day', 'staff', 'method', 'taken', 'paid_out', 'net', 'no_drawer', 'currency'],
    sql`
      select ${toDay(sql`e.booked_at`)}::text as day, coalesce(s.name, '') as staff, e.method,
        ${sumOf(sql`e.amount`, sql`e.amount > 0`)} as taken, ${sumOf(sql`-e.amount`, sql`e.amount < 0`)} as paid_out,
        ${sumOf(sql`e.amount`)} as net, ${sumOf(sql`e.amount`, sql`e.method = 'cash' and d.id is null`)} as no_drawer,
        e.currency
      from money_entries e
      left join staff_members s on s.id = e.staff_id
      left join cash_drawers d on d.staff_id = e.staff_id and d.currency = e.currency
        and e.booked_at >= d.opened_at and e.booked_at < coalesce(d.closed_at, 'infinity')
      where e.method in ('cash', 'terminal') and ${isIn(sql`e.booked_at`)}
      group by 1, e.staff_id, 2, 3, e.currency order by 1, 2, e.staff_id, 3, e.currency
    `,
  );
}

/** Cash drawers that were counted and closed, with what should have been in them. */
export function reportDrawers(db: Database, period: Period): Promise<ReportRows> {
  const { isIn, toDay } = describePeriod(period);
  return queryReport(
    db,
    ['day', 'staff', 'opening', 'expected', 'counted', 'difference', 'currency'],
    sql`
      select ${toDay(sql`d.closed_at`)}::text as day, coalesce(s.name, '') as staff, d.opening::float8 as opening,
        d.expected::float8 as expected, d.counted::float8 as counted, (d.counted - d.expected)::float8 as difference,
        d.currency
      from cash_drawers d left join staff_members s on s.id = d.staff_id
      where d.closed_at is not null and ${isIn(sql`d.closed_at`)}
      order by d.closed_at, d.id
    `,
  );
}

/**
 * The value on trip cards and the trips on passes: opening + top-ups − spent + returned + transferred + corrected − breakage = closing.
 * `expired`: of `closing`, on passes whose days are over. Trips are counted, not money, in rows whose unit is not `money`.
 */
export function reportStoredValue(db: Database, period: Period): Promise<ReportRows> {
  const { start, end, isIn } = describePeriod(period);
  const inPeriod = isIn(sql`e.inserted_at`);
  const sumKind = (kinds: string) => sumOf(sql`e.amount`, sql`e.kind in (${sql.raw(kinds)}) and ${inPeriod}`);
  return queryReport(
    db,
    [
      ...(['product', 'unit', 'opening', 'top_ups', 'spent', 'returned', 'transferred'] as const),
      ...(['corrected', 'breakage', 'closing', 'expired', 'currency'] as const),
    ],
    sql`
      select coalesce(c.pass ->> 'code', '') as product, c.unit,
        ${sumOf(sql`e.amount`, sql`e.inserted_at < ${start}`)} as opening, ${sumKind(`'top_up'`)} as top_ups,
        0 - ${sumKind(`'fare'`)} as spent, ${sumKind(`'refund_in'`)} as returned,
        ${sumKind(`'transfer_in', 'transfer_out'`)} as transferred, ${sumKind(`'adjustment'`)} as corrected,
        ${sumOf(sql`-e.amount`, sql`e.kind = 'breakage' and ${inPeriod}`)} as breakage, ${sumOf(sql`e.amount`)} as closing,
        ${sumOf(sql`e.amount`, sql`c.expires_at is not null and c.expires_at < ${end}`)} as expired, c.currency
      from (
        select trip_card_id, kind, amount, inserted_at from trip_card_entries
        union all select trip_card_id, 'breakage', -trips, booked_at from breakage_entries
      ) e join trip_cards c on c.id = e.trip_card_id
      where e.inserted_at < ${end}
      group by 1, c.unit, c.currency order by 1, c.unit, c.currency
    `,
  );
}
