import { type SQL, sql } from 'drizzle-orm';
import { toDecimal } from '#domain/fares/money.ts';
import type { Database } from '../database/database.ts';
import { describePeriod, type Period, queryReport, type ReportRows, sumOf } from './report-query.ts';

/** Whether the books have what an item is about. A refund that failed at first has several references. */
const isMatched = sql`coalesce(case i.kind
  when 'charge' then y.status = 'succeeded' or t.status in ('succeeded', 'disputed')
  when 'dispute' then y.status = 'succeeded' or t.status in ('succeeded', 'disputed')
  when 'refund' then exists (
    select from refunds r where r.order_id = y.order_id
      and (r.provider_reference = i.refund_reference or r.failed_references @> to_jsonb(i.refund_reference)))
  when 'other' then false
  else true
end, false)`;

/**
 * Whether an entry `e` of a trip card takes back what was refunded to it, because the payment of the order is disputed.
 * Disputed top-ups have entries of money instead.
 */
export const isDisputedRefund = sql`(e.kind = 'adjustment' and e.top_up_id is null
  and (e.order_id is not null or coalesce(e.cause ->> 'code', '') = 'disputed_debt'))`;

/** Items of payouts with the order or top-up that they belong to, and whether the books have them. */
export const matchedItems = sql`(
  select i.*, p.currency, p.booked_on, p.listed_at, y.order_id, t.id as top_up_id, ${isMatched} as is_matched,
    case i.kind when 'fee' then -i.amount else 0 end + i.fee as fees,
    coalesce(i.charged_amount, i.amount) as books_amount, coalesce(i.charged_currency, p.currency) as books_currency
  from payout_items i
  join payouts p on p.id = i.payout_id
  left join payments y on y.provider_reference = i.intent_reference
  left join top_ups t on t.provider_reference = i.intent_reference
)`;

/**
 * Payouts that are booked in the period, those that the bank returned in it, and those that are still on their way: charges −
 * refunds − disputes − fees + failed payouts + other = net. `expected`: not booked yet. `unmatched`: items that are not in the
 * books.
 */
export function reportPayouts(db: Database, { from, until }: Period): Promise<ReportRows> {
  const isIn = (day: SQL) => sql`coalesce(${day} between ${from}::date and ${until}::date, false)`;
  const sumKind = (kind: string, sign: SQL = sql``) =>
    sumOf(sql`${sign} i.amount`, sql`i.kind = ${sql.raw(`'${kind}'`)}`);
  return queryReport(
    db,
    [
      ...(['day', 'payout', 'status', 'charges', 'refunds', 'disputes', 'fees'] as const),
      ...(['failed_payouts', 'other', 'net', 'expected', 'unmatched', 'currency'] as const),
    ],
    sql`
      with listed as (
        select p.*, ${isIn(sql`booked_on`)} as counts, ${isIn(sql`failed_on`)} as returns from payouts p
        where ${isIn(sql`booked_on`)} or ${isIn(sql`failed_on`)}
          or (booked_on is null and status <> 'canceled' and ${isIn(sql`arrives_on`)})
      ),
      rows as (
        select p.id, p.arrives_on, p.status, p.currency, s.charges, s.refunds, s.disputes, s.fees, s.unmatched,
          s.returned - case when p.returns then p.amount else 0 end::float8 as failed_payouts,
          case when p.counts then p.amount - s.charges + s.refunds + s.disputes + s.fees - s.returned else 0 end::float8 as other,
          (case when p.counts then p.amount else 0 end - case when p.returns then p.amount else 0 end)::float8 as net,
          case when p.booked_on is null then p.amount::float8 end as expected
        from listed p
        cross join lateral (
          select ${sumKind('charge')} as charges, ${sumKind('refund', sql`-`)} as refunds,
            ${sumKind('dispute', sql`-`)} as disputes, ${sumOf(sql`i.fees`)} as fees,
            ${sumKind('failed_payout')} as returned, (count(*) filter (where not i.is_matched))::float8 as unmatched
          from ${matchedItems} i where i.payout_id = p.id and p.counts
        ) s
      )
      select *, arrives_on::text as day, id as payout from rows order by arrives_on, id
    `,
  );
}

/**
 * What the card provider owes by our books, for each currency: opening + charges − refunds − disputes − fees − paid out +
 * exchanged = closing. Closing consists of what is not paid out yet (`waiting`), what payers' banks hold (`disputed`), payouts
 * that banks returned (`failed_payouts`), less what was paid out and is not in the books (`unmatched`).
 */
export function reportCardMoney(db: Database, period: Period): Promise<ReportRows> {
  const { end, toDay } = describePeriod(period);
  const sumIn = (kind: string, sign = '') =>
    sumOf(sql.raw(`${sign}amount`), sql`kind = ${sql.raw(`'${kind}'`)} and day >= ${period.from}::date`);
  const sumKinds = (...kinds: string[]) =>
    sumOf(sql`amount`, sql.raw(`kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`));
  const isFlow = sql`kind in ('charges', 'refunds', 'disputes', 'fees', 'paid_out', 'exchanged')`;
  return queryReport(
    db,
    [
      ...(['opening', 'charges', 'refunds', 'disputes', 'fees', 'paid_out', 'exchanged'] as const),
      ...(['closing', 'waiting', 'disputed', 'failed_payouts', 'not_in_books', 'currency'] as const),
    ],
    sql`
      with items as materialized (select * from ${matchedItems} i where booked_on <= ${period.until}::date),
      flows as (
        select currency, ${toDay(sql`booked_at`)} as day, amount,
          case when method = 'dispute' then 'disputes' when refund_id is null then 'charges' else 'refunds' end as kind
        from money_entries where method in ('card', 'dispute') and booked_at < ${end}
        union all
        select c.currency, ${toDay(sql`e.inserted_at`)}, e.amount, 'disputes'
        from trip_card_entries e join trip_cards c on c.id = e.trip_card_id
        where c.unit = 'money' and ${isDisputedRefund} and e.inserted_at < ${end}
        union all select currency, booked_on, -amount, 'paid_out' from payouts where booked_on is not null
        union all select currency, failed_on, amount, 'paid_out' from payouts where failed_on is not null
        union all select currency, booked_on, -fees, 'fees' from items
        union all select currency, booked_on, amount, 'exchanged' from items where is_matched and charged_amount is not null
        union all
        select books_currency, booked_on, -books_amount, 'exchanged' from items where is_matched and charged_amount is not null
        union all
        select books_currency, booked_on, -books_amount, case kind when 'dispute' then 'disputed_item' else 'item' end
        from items where is_matched and kind in ('charge', 'refund', 'dispute')
        union all select currency, failed_on, amount, 'failed' from payouts where failed_on is not null
        union all select currency, booked_on, -amount, 'failed' from items where kind = 'failed_payout'
        union all select currency, booked_on, amount, 'unmatched' from items where not is_matched
        union all
        select p.currency, p.booked_on, p.amount - coalesce((select sum(amount - fee) from items i where i.payout_id = p.id), 0),
          'unmatched'
        from payouts p where p.booked_on is not null
      )
      select currency, ${sumOf(sql`amount`, sql`${isFlow} and day < ${period.from}::date`)} as opening,
        ${sumIn('charges')} as charges, ${sumIn('refunds', '-')} as refunds, ${sumIn('disputes', '-')} as disputes,
        ${sumIn('fees', '-')} as fees, ${sumIn('paid_out', '-')} as paid_out, ${sumIn('exchanged')} as exchanged,
        ${sumOf(sql`amount`, isFlow)} as closing, ${sumKinds('charges', 'refunds', 'item')} as waiting,
        ${sumKinds('disputes', 'disputed_item')} as disputed, ${sumKinds('failed')} as failed_payouts,
        ${sumKinds('unmatched')} as not_in_books
      from flows where day <= ${period.until}::date
      group by currency order by currency
    `,
  );
}

/** Debits and credits of payouts, as `listPostings` of the ledger. */
export function listPayoutPostings({ from, until }: Period): SQL[] {
  const isIn = (day: SQL) => sql`${day} between ${from}::date and ${until}::date`;
  const post = (
    accounts: { debit: string; credit: string },
    posted: { day: SQL; amount: SQL; currency: SQL },
  ) => sql`
    select ${posted.day} as day, ${sql.raw(`'${accounts.debit}'`)} as debit, ${sql.raw(`'${accounts.credit}'`)} as credit,
      0 as tax_percent, ${sumOf(posted.amount)} as amount, ${posted.currency} as currency`;
  const [booked, currency] = [sql`booked_on`, sql`currency`];
  const items = sql`from ${matchedItems} i where ${isIn(booked)}`;
  const exchanged = sql`${items} and is_matched and charged_amount is not null`;
  return [
    sql`${post({ debit: 'bank', credit: 'card' }, { day: booked, amount: sql`amount`, currency })}
      from payouts where ${isIn(booked)} group by 1, currency, amount < 0`,
    sql`${post({ debit: 'card', credit: 'bank' }, { day: sql`failed_on`, amount: sql`amount`, currency })}
      from payouts where ${isIn(sql`failed_on`)} group by 1, currency, amount < 0`,
    sql`${post({ debit: 'provider_fees', credit: 'card' }, { day: booked, amount: sql`fees`, currency })}
      ${items} group by 1, currency, fees < 0`,
    sql`${post({ debit: 'dispute', credit: 'card' }, { day: booked, amount: sql`-books_amount`, currency: sql`books_currency` })}
      ${items} and is_matched and kind = 'dispute' group by 1, books_currency, books_amount < 0`,
    sql`${post({ debit: 'card', credit: 'exchange' }, { day: booked, amount: sql`amount`, currency })}
      ${exchanged} group by 1, currency, amount < 0`,
    sql`${post({ debit: 'exchange', credit: 'card' }, { day: booked, amount: sql`books_amount`, currency: sql`books_currency` })}
      ${exchanged} group by 1, books_currency, books_amount < 0`,
  ];
}

/** Each item of a payout: what it belongs to, and what the card holder paid if that was in another currency. */
export async function reportPayoutItems(
  db: Database,
  { payoutId, zone }: { payoutId: string; zone: string },
): Promise<ReportRows> {
  const report = await queryReport(
    db,
    [
      ...(['day', 'kind', 'source', 'reference', 'amount', 'fees', 'net'] as const),
      ...(['charged', 'match', 'provider_reference', 'currency'] as const),
    ],
    sql`
      select (i.created_at at time zone ${zone})::date::text as day, i.kind,
        case when o.id is not null then 'order' when t.id is not null then 'top_up' end as source,
        coalesce(o.reference, t.receipt_number) as reference,
        case i.kind when 'fee' then 0 else i.amount end::float8 as amount, i.fees::float8 as fees,
        (i.amount - i.fee)::float8 as net, i.charged_amount || ' ' || i.charged_currency as charged,
        case when not i.is_matched then 'not_in_books' end as match,
        coalesce(i.refund_reference, i.intent_reference, i.id) as provider_reference, i.currency
      from ${matchedItems} i
      left join orders o on o.id = i.order_id
      left join top_ups t on t.id = i.top_up_id
      where i.payout_id = ${payoutId}
      order by i.is_matched, i.created_at, i.id
    `,
  );
  const chargedAt = report.columns.indexOf('charged');
  return {
    columns: report.columns,
    rows: report.rows.map((row) =>
      row.map((value, index) => (index === chargedAt ? toDecimalText(String(value)) : value)),
    ),
  };
}

/** `11500 NOK` as `115.00 NOK`. */
function toDecimalText(charged: string): string {
  const [amount, currency] = charged.split(' ');
  return currency === undefined ? '' : `${toDecimal(Number(amount), currency)} ${currency}`;
}
