import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { isDisputedRefund, listPayoutPostings } from './payouts.ts';
import { describePeriod, type Period, queryReport, type ReportRows, sumOf } from './report-query.ts';

/**
 * Debits and credits by day, for a general ledger. A sale is owed by the customer (`receivables`) until it is paid. Its net
 * amount is an advance payment until the day of travel, and revenue from then on; its tax is owed when it is sold. Money on
 * trip cards and for passes is owed to customers (`stored_value`). The card provider owes what cards paid until it is in a
 * payout, and the recipient of an invoice what was sold on it (`invoiced`) until it is transferred. Amounts are positive: a refund swaps debit and credit.
 * Accounts are called as the settings call them.
 */
export async function reportLedger(db: Database, period: Period): Promise<ReportRows> {
  const { columns, rows } = await queryReport(
    db,
    ['day', 'debit', 'credit', 'tax_percent', 'amount', 'currency'],
    sql`
      with postings as (${sql.join(listPostings(period), sql` union all `)})
      select day::text, case when amount > 0 then debit else credit end as debit,
        case when amount > 0 then credit else debit end as credit, tax_percent, abs(amount)::float8 as amount, currency
      from postings where amount <> 0
      order by day, debit, credit, tax_percent, currency, amount
    `,
  );
  const { accounts = {} } = await loadWebSettings({ db });
  const names: Readonly<Record<string, string | undefined>> = accounts;
  return {
    columns,
    rows: rows.map((row) =>
      row.map((value, index) =>
        ['debit', 'credit'].includes(columns[index] ?? '') ? (names[value] ?? value) : value,
      ),
    ),
  };
}

/** Queries of `day`, `debit`, `credit`, `tax_percent`, `amount` and `currency`; negative amounts swap the accounts. */
function listPostings(period: Period): SQL[] {
  const { isIn, toDay } = describePeriod(period);
  const bookedDay = toDay(sql`booked_at`);
  const isSoldAhead = sql`coalesce(travel_day > ${bookedDay}, false)`;
  const storedDay = toDay(sql`e.inserted_at`);
  return [
    sql`
      select ${bookedDay} as day, 'receivables' as debit,
        case when ${isSoldAhead} then 'advance_payments' else 'revenue' end as credit, tax_bp as tax_percent,
        ${sumOf(sql`gross - tax`)} as amount, currency
      from sale_entries where ${isIn(sql`booked_at`)}
      group by 1, 3, 4, currency, gross < 0`,
    sql`
      select ${bookedDay}, 'receivables', 'tax', tax_bp, ${sumOf(sql`tax`)}, currency
      from sale_entries where ${isIn(sql`booked_at`)}
      group by 1, 4, currency, gross < 0`,
    sql`
      select travel_day, 'advance_payments', 'revenue', tax_bp, ${sumOf(sql`gross - tax`)}, currency
      from sale_entries where travel_day between ${period.from}::date and ${period.until}::date and ${isSoldAhead}
      group by 1, 4, currency`,
    sql`
      select ${bookedDay}, case when method in ('trip_card', 'pass') then 'stored_value'
          when method = 'invoice' then 'invoiced' else method end,
        case when order_id is null then 'stored_value' else 'receivables' end, 0, ${sumOf(sql`amount`)}, currency
      from money_entries where ${isIn(sql`booked_at`)}
      group by 1, 2, 3, currency, amount < 0`,
    sql`
      select ${toDay(sql`e.booked_at`)}, 'bank', 'invoiced', 0, ${sumOf(sql`e.amount`)}, i.currency
      from invoice_entries e join invoices i on i.id = e.invoice_id
      where e.kind = 'transferred' and ${isIn(sql`e.booked_at`)}
      group by 1, i.currency, e.amount < 0`,
    sql`
      select ${storedDay}, case when e.kind <> 'adjustment' then 'revenue' when ${isDisputedRefund} then 'dispute'
          else 'corrections' end, 'stored_value', 0, ${sumOf(sql`e.amount`)}, c.currency
      from trip_card_entries e join trip_cards c on c.id = e.trip_card_id
      where c.unit = 'money' and e.top_up_id is null and ${isIn(sql`e.inserted_at`)}
        and (e.kind = 'adjustment' or (e.kind in ('fare', 'refund_in') and e.order_id is null))
      group by 1, 2, c.currency, e.amount < 0`,
    sql`
      select ${bookedDay}, 'stored_value', account, 0, ${sumOf(sql`amount`)}, currency
      from breakage_entries where ${isIn(sql`booked_at`)}
      group by 1, 3, currency, amount < 0`,
    ...listPayoutPostings(period),
  ];
}
