import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { describePeriod, type Period, queryReport, type ReportRows, sumOf } from './report-query.ts';

/**
 * What recipients of invoices owe, by currency: opening + invoiced − credited − received = closing. The last columns are
 * the parts of closing by the days since it was due, on the last day.
 */
export function reportInvoices(db: Database, period: Period): Promise<ReportRows> {
  const { start, end, isIn } = describePeriod(period);
  const sumKind = (kind: string) => sumOf(sql`e.amount`, sql`e.kind = ${kind} and ${isIn(sql`e.booked_at`)}`);
  const late = sql`${period.until}::date - due_on`;
  return queryReport(
    db,
    [
      ...(['opening', 'invoiced', 'credited', 'received', 'closing'] as const),
      ...(['not_due', 'overdue_30', 'overdue_60', 'overdue_longer', 'currency'] as const),
    ],
    sql`
      with changes as (
        select i.id, i.due_on, i.currency,
          ${sumOf(sql`case e.kind when 'invoiced' then e.amount else -e.amount end`, sql`e.booked_at < ${start}`)} as opening,
          ${sumKind('invoiced')} as invoiced, ${sumKind('credited')} as credited,
          ${sumKind('transferred')} as received,
          ${sumOf(sql`case e.kind when 'invoiced' then e.amount else -e.amount end`)} as closing
        from invoice_entries e join invoices i on i.id = e.invoice_id
        where e.booked_at < ${end}
        group by i.id
      )
      select ${sumOf(sql`opening`)} as opening, ${sumOf(sql`invoiced`)} as invoiced,
        ${sumOf(sql`credited`)} as credited, ${sumOf(sql`received`)} as received,
        ${sumOf(sql`closing`)} as closing, ${sumOf(sql`closing`, sql`${late} <= 0`)} as not_due,
        ${sumOf(sql`closing`, sql`${late} between 1 and 30`)} as overdue_30,
        ${sumOf(sql`closing`, sql`${late} between 31 and 60`)} as overdue_60,
        ${sumOf(sql`closing`, sql`${late} > 60`)} as overdue_longer, currency
      from changes
      group by currency order by currency
    `,
  );
}
