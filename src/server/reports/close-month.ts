import { sql } from 'drizzle-orm';
import { REPORTS, type ReportName } from '#contract/reports/columns.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { getMonthDays, listMonths, storeClosedMonth } from './months.ts';
import type { ReportRows } from './report-query.ts';
import { computeReport } from './reports.ts';

/**
 * Closes a month, so that its reports are answered as they are now.
 * @param month such as 2026-05
 * @throws {ApiError} not_found without sales or payments until then; month_open if it is not over, or one before it is open
 */
export async function closeMonth(
  context: Pick<Context, 'db' | 'clock'>,
  { month, zone, actor }: { month: string; zone: string; actor: AuditActor & { kind: 'staff' } },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const state = (await listMonths(tx, { zone, now: context.clock.now() })).find(
      (each) => each.month === month,
    );
    if (!state) throw notFound();
    if (state.closed_at !== null) return;
    if (!state.can_close) throw new ApiError('month_open');
    // A payout that is recorded meanwhile either is in these reports or counts after the month.
    await tx.execute(sql`lock table payouts in share mode`);
    const period = { ...getMonthDays(month), zone, now: context.clock.now() };
    const computed: [ReportName, ReportRows][] = [];
    for (const report of REPORTS) {
      computed.push([report, await computeReport(tx, report, period)]);
    }
    const reports = Object.fromEntries(computed) as Record<ReportName, ReportRows>;
    await storeClosedMonth(tx, context, { month, reports, actor });
  });
}
