import { desc, eq, sql } from 'drizzle-orm';
import type { ReportName } from '#contract/reports/columns.ts';
import type { MonthState } from '#contract/reports/schemas.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { closedMonths } from '../database/schema/accounting.ts';
import { staffMembers } from '../database/schema/staff.ts';
import type { Period, ReportRows } from './report-query.ts';

/** First and last day of a month such as 2026-05. */
export function getMonthDays(month: string): { from: string; until: string } {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 });
  return { from: first.toString(), until: first.add({ months: 1 }).subtract({ days: 1 }).toString() };
}

/** A report as it was when its month was closed; null: the period is no closed month. */
export async function findClosedReport(
  db: Database,
  { report, period: { from, until } }: { report: ReportName; period: Period },
): Promise<{ rows: ReportRows; closedAt: Date } | null> {
  const month = from.slice(0, 7);
  const days = getMonthDays(month);
  if (days.from !== from || days.until !== until) return null;
  const [closed] = await db.select().from(closedMonths).where(eq(closedMonths.month, month));
  const rows = closed?.reports[report];
  return closed && rows ? { rows, closedAt: closed.closedAt } : null;
}

/**
 * The months since the first sale or payment, newest first. A month can be closed when it is over and all before it are
 * closed.
 */
export async function listMonths(
  db: Database,
  { zone, now }: { zone: string; now: Date },
): Promise<MonthState[]> {
  const closed = await db
    .select({ month: closedMonths.month, closedAt: closedMonths.closedAt, name: staffMembers.name })
    .from(closedMonths)
    .leftJoin(staffMembers, eq(staffMembers.id, closedMonths.closedBy))
    .orderBy(desc(closedMonths.month));
  // Passes and top-ups may have been paid in a month before the first ticket was sold.
  const [first] = await queryRows<{ at: string | null }>(
    db,
    sql`select least((select min(booked_at) from sale_entries), (select min(booked_at) from money_entries))::text as at`,
  );
  const current = getLocalDay(now.getTime(), zone).slice(0, 7);
  const months = listBetween(
    first?.at ? getLocalDay(new Date(first.at).getTime(), zone).slice(0, 7) : current,
    current,
  );
  const oldestOpen = months.find((month) => !closed.some((each) => each.month === month));
  return months.toReversed().map((month) => {
    const state = closed.find((each) => each.month === month);
    const days = getMonthDays(month);
    const isOver = getDayStart(days.until, zone) + CLOSE_AFTER_MS <= now.getTime();
    return {
      ...{ month, ...days },
      closed_at: state?.closedAt.toISOString() ?? null,
      closed_by: state?.name ?? null,
      can_close: month === oldestOpen && isOver,
    };
  });
}

/** What was sold in the last minutes of a month has been written by then. Counts from the start of its last day. */
const CLOSE_AFTER_MS = 26 * 3_600_000;

function listBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (
    let month = Temporal.PlainYearMonth.from(first);
    month.toString() <= last;
    month = month.add({ months: 1 })
  ) {
    months.push(month.toString());
  }
  return months;
}

/**
 * Closes a month: stores its reports as they are now. Repeated for a closed month, it changes nothing.
 * @param reports computed in the same transaction
 */
export async function storeClosedMonth(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    month,
    reports,
    actor,
  }: { month: string; reports: Record<ReportName, ReportRows>; actor: AuditActor & { kind: 'staff' } },
): Promise<void> {
  const inserted = await tx
    .insert(closedMonths)
    .values({ month, reports, closedAt: clock.now(), closedBy: actor.staffId })
    .onConflictDoNothing()
    .returning({ month: closedMonths.month });
  if (inserted.length === 0) return;
  await recordAudit(
    tx,
    { clock },
    {
      ...{ actor, action: 'month_closed', objectKind: 'report', objectId: month },
      ...{ before: {}, after: {}, reason: null },
    },
  );
}
