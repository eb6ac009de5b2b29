import { REPORT_COLUMNS, type ReportName } from '#contract/reports/columns.ts';
import type { Report } from '#contract/reports/schemas.ts';
import { toDecimal } from '#domain/fares/money.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { formatCsv } from '../csv/format-table.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import { reportInvoices } from './invoices.ts';
import { reportLedger } from './ledger.ts';
import { reportLoads } from './loads.ts';
import { reportCashUp, reportDrawers, reportMoney, reportOpenItems, reportStoredValue } from './money.ts';
import { findClosedReport } from './months.ts';
import { reportCardMoney, reportPayouts } from './payouts.ts';
import type { Period, ReportRows } from './report-query.ts';
import { reportDeferred, reportSales } from './sales.ts';

const QUERIES: Readonly<Record<ReportName, (db: Database, period: Period) => Promise<ReportRows>>> = {
  sales: reportSales,
  money: reportMoney,
  payouts: reportPayouts,
  card_money: reportCardMoney,
  deferred: reportDeferred,
  stored_value: reportStoredValue,
  open_items: reportOpenItems,
  invoices: reportInvoices,
  cash_up: reportCashUp,
  drawers: reportDrawers,
  loads: reportLoads,
  ledger: reportLedger,
};

/** Computes a report from the entries as they are now. */
export function computeReport(db: Database, report: ReportName, period: Period): Promise<ReportRows> {
  return QUERIES[report](db, period);
}

/** Reads a report: of a closed month as it was closed, otherwise as of now. */
export async function readReport(
  db: Database,
  { report, period }: { report: ReportName; period: Period },
): Promise<Report> {
  const { from, until } = period;
  const closed = await findClosedReport(db, { report, period });
  const { columns, rows } = closed?.rows ?? (await computeReport(db, report, period));
  return {
    ...{ report, from, until, columns: [...columns], rows },
    closed_at: closed?.closedAt.toISOString() ?? null,
  };
}

/** A report as CSV, with money as decimal numbers. The audit log records it. */
export async function exportReport(
  context: Pick<Context, 'db' | 'clock'>,
  { report, period, actor }: { report: ReportName; period: Period; actor: AuditActor },
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const { columns, rows } = await readReport(tx, { report, period });
    await recordAudit(tx, context, {
      ...{ actor, action: 'report_exported', objectKind: 'report', objectId: report },
      ...{ before: {}, after: { from: period.from, until: period.until, rows: rows.length }, reason: null },
    });
    return formatReport({ columns, rows });
  });
}

/** With money as decimal numbers. */
export function formatReport({ columns, rows }: ReportRows): string {
  const currencyAt = columns.indexOf('currency');
  const unitAt = columns.indexOf('unit');
  return formatCsv({
    columns,
    rows: rows.map((row) =>
      row.map((value, index) => {
        const column = columns[index];
        const unit = column && REPORT_COLUMNS[column];
        // Percent and meters.
        if (unit === 'percent' || unit === 'length') return value === '' ? '' : Number(value) / 100;
        const isMoney = unit === 'money' && row[unitAt] !== 'trips';
        return isMoney ? toDecimal(Number(value), String(row[currencyAt])) : value;
      }),
    ),
  });
}
