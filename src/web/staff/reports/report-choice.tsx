import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { REPORTS } from '#contract/reports/columns.ts';
import { t } from '#web/language/texts.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { FilterFields } from '../filter-fields.tsx';
import { operatorToday } from '../operator-clock.ts';
import { monthsQuery, type ReportSearch, reportPath } from './report-search.ts';
import { nameReport } from './report-texts.ts';

/** Each choice is an address, so that it can be sent to others. */
export function ReportChoice({ search }: { search: ReportSearch }) {
  const months = useQuery(monthsQuery).data ?? [];
  const navigate = useNavigate();
  const show = (change: Partial<ReportSearch>) => {
    void navigate(reportPath({ ...search, ...change }), { preventScrollReset: true });
  };
  const month = months.find(({ from, until }) => from === search.from && until === search.until);
  return (
    <FilterFields>
      <Select
        label={t('Report')}
        value={search.report}
        onChange={({ target }) => show({ report: REPORTS.find((each) => each === target.value) ?? 'sales' })}
        options={REPORTS.map((report) => ({ value: report, label: nameReport(report) }))}
      />
      <Select
        label={t('Month')}
        value={month?.month ?? ''}
        onChange={({ target }) => {
          const chosen = months.find((each) => each.month === target.value);
          if (chosen) show({ from: chosen.from, until: chosen.until });
        }}
        options={[
          ...(month ? [] : [{ value: '', label: t('Other days') }]),
          ...months.map((each) => ({ value: each.month, label: formatDay(each.from, 'monthOfYear') })),
        ]}
      />
      <DatePicker
        label={t('From|a day')}
        value={search.from}
        today={operatorToday()}
        onChange={(from, problem) => {
          if (problem === null && from !== '')
            show({ from, ...(search.until < from ? { until: from } : {}) });
        }}
      />
      <DatePicker
        label={t('Until|a day')}
        value={search.until}
        today={operatorToday()}
        min={search.from}
        onChange={(until, problem) => {
          if (problem === null && until !== '') show({ until });
        }}
      />
    </FilterFields>
  );
}
