import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { staffPages } from '#contract/paths.ts';
import { REPORTS, type ReportName } from '#contract/reports/columns.ts';
import { getPayout, getReport, listMonths } from '#contract/reports/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { operatorToday } from '../operator-clock.ts';

/** The parameters of the address. Days are inclusive. */
export type ReportSearch = { report: ReportName; from: string; until: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Without days in the address: the current month until today. */
export function readReportSearch(params: URLSearchParams): ReportSearch {
  const today = operatorToday();
  const read = (name: string) => {
    const text = params.get(name) ?? '';
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
  };
  const from = read('from') ?? `${today.slice(0, 7)}-01`;
  return {
    report: REPORTS.find((each) => each === params.get('report')) ?? 'sales',
    from,
    until: read('until') ?? getLastDay(from),
  };
}

export function reportPath({ report, from, until }: ReportSearch): string {
  return `${staffPages.reports}?${new URLSearchParams({ report, from, until })}`;
}

/** Whether the days are those of a whole month. */
export function isMonth({ from, until }: Pick<ReportSearch, 'from' | 'until'>): boolean {
  return from.endsWith('-01') && until === getLastDay(from);
}

/** The days of the month of a day. */
export function getMonthOf(day: string): Pick<ReportSearch, 'from' | 'until'> {
  return { from: `${day.slice(0, 7)}-01`, until: getLastDay(day) };
}

/** The last day of the month of a day. */
function getLastDay(day: string): string {
  const later = addDays(`${day.slice(0, 7)}-28`, 4);
  return addDays(`${later.slice(0, 7)}-01`, -1);
}

/** The one before stays while another is loaded. */
export function reportQuery({ report, ...query }: ReportSearch) {
  return queryOptions({
    queryKey: ['report', report, query] as const,
    queryFn: ({ signal }) => request(getReport, { params: { report }, query, signal }),
    placeholderData: keepPreviousData,
  });
}

export const monthsQuery = queryOptions({
  queryKey: ['months'] as const,
  queryFn: ({ signal }) => request(listMonths, { signal }),
});

export function payoutQuery(payout: string) {
  return queryOptions({
    queryKey: ['payout', payout] as const,
    queryFn: ({ signal }) => request(getPayout, { params: { payout }, signal }),
  });
}
