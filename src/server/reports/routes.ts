import { REPORTS, type ReportName } from '#contract/reports/columns.ts';
import type { reportCalls } from '#contract/reports/schemas.ts';
import type { Context } from '../context.ts';
import type { HttpContext, StaffSession } from '../http/api.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { answerFile } from '../http/respond.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import { requireDay } from '../sailings/require-day.ts';
import { describeStaffActor } from '../staff/actor.ts';
import { withStaffStepUp } from '../staff/step-up.ts';
import { closeMonth } from './close-month.ts';
import { exportDatev } from './datev.ts';
import { listMonths } from './months.ts';
import { exportPayout, readPayout } from './read-payout.ts';
import type { Period } from './report-query.ts';
import { exportReport, readReport } from './reports.ts';
import { settlePayout } from './settle-payout.ts';

/** Handlers for the accountant's reports. */
export function createReportHandlers(context: Context): Handlers<typeof reportCalls> {
  const { db, clock } = context;
  const actorOf = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const readZone = async () => (await loadCatalogue(db)).feed.timeZone;
  const readPeriod = async (query: { from: string; until: string }): Promise<Period> => {
    const from = requireDay(query.from, 'from');
    const until = requireDay(query.until, 'until');
    if (until < from) throw new ApiError('invalid_input', { field: 'until' });
    return { from, until, zone: await readZone(), now: clock.now() };
  };
  const listStates = async () => listMonths(db, { zone: await readZone(), now: clock.now() });
  return {
    getReport: async ({ params, query }) =>
      readReport(db, { report: requireReport(params.report), period: await readPeriod(query) }),

    exportReport: withStaffStepUp(context, async ({ params, query, session }, c) => {
      const report = requireReport(params.report);
      const period = await readPeriod(query);
      const csv = await exportReport(context, { report, period, actor: actorOf(session, c) });
      const name = `${report.replace('_', '-')}-${period.from}-${period.until}.csv`;
      return answerFile(c, Buffer.from(csv, 'utf8'), { type: 'text/csv; charset=utf-8', name });
    }),

    getPayout: async ({ params }) => readPayout(db, { payoutId: params.payout, zone: await readZone() }),

    settlePayout: async ({ params: { payout }, body: { note }, session }, c) => {
      await settlePayout(context, { payoutId: payout, note, actor: actorOf(session, c) });
      return { payout_id: payout };
    },

    exportPayout: withStaffStepUp(context, async ({ params, session }, c) => {
      const payout = { payoutId: params.payout, zone: await readZone() };
      const csv = await exportPayout(context, { ...payout, actor: actorOf(session, c) });
      return answerFile(c, Buffer.from(csv, 'utf8'), {
        ...{ type: 'text/csv; charset=utf-8', name: `payout-${params.payout}.csv` },
      });
    }),

    listMonths: listStates,

    closeMonth: withStaffStepUp(context, async ({ params, session }, c) => {
      const month = requireMonth(params.month);
      await closeMonth(context, { month, zone: await readZone(), actor: actorOf(session, c) });
      return listStates();
    }),

    exportDatev: withStaffStepUp(context, async ({ params, query: { currency }, session }, c) => {
      const month = requireMonth(params.month);
      const batch = await exportDatev(context, {
        ...{ month, currency: currency ?? null, zone: await readZone(), actor: actorOf(session, c) },
      });
      const name = `EXTF_Buchungsstapel_${[month, ...(currency ? [currency] : [])].join('_')}.csv`;
      return answerFile(c, Buffer.from(batch), { type: 'text/csv; charset=windows-1252', name });
    }),
  };
}

function requireMonth(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw notFound();
  return month;
}

function requireReport(name: string): ReportName {
  const report = REPORTS.find((each) => each === name);
  if (!report) throw notFound();
  return report;
}
