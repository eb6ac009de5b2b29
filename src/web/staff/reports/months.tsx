import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { closeMonth } from '#contract/reports/endpoints.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { MonthState } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { usePermission } from '../session/staff-session.ts';
import { monthsQuery, type ReportSearch, reportPath } from './report-search.ts';

/** Which months are closed. Managers close the oldest open one when it is over. */
export function Months({ search }: { search: ReportSearch }) {
  const query = useQuery(monthsQuery);
  const mayClose = usePermission('close_months');
  const [closing, setClosing] = useState<MonthState | null>(null);
  if (query.data === undefined || query.data.length === 0) return null;
  const columns: Column<MonthState>[] = [
    {
      id: 'month',
      header: t('Month'),
      cell: ({ from, until }) => (
        <Link to={reportPath({ ...search, from, until })}>{formatDay(from, 'monthOfYear')}</Link>
      ),
    },
    {
      id: 'state',
      header: t('State'),
      cell: (month) => <State month={month} now={query.dataUpdatedAt} />,
    },
    ...(mayClose
      ? [
          {
            id: 'close',
            header: t('Close'),
            cell: (month: MonthState) =>
              month.canClose && (
                <Button variant="secondary" needsConnection onClick={() => setClosing(month)}>
                  {t('Close {month}', { month: formatDay(month.from, 'monthOfYear') })}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Table caption={t('Months')} columns={columns} rows={query.data} getKey={({ month }) => month} />
      {closing && <CloseDialog month={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

function State({ month: { closedAt, closedBy }, now }: { month: MonthState; now: number }) {
  if (closedAt === null) return t('Open|a month');
  const when = formatWhenCapitalized(closedAt, now);
  return closedBy === null
    ? t('Closed: {when}', { when })
    : t('Closed: {when}, {name}', { when, name: closedBy });
}

function CloseDialog({ month, onClose }: { month: MonthState; onClose: () => void }) {
  const client = useQueryClient();
  const name = formatDay(month.from, 'monthOfYear');
  const form = useForm({
    initial: () => ({}),
    send: () => request(closeMonth, { params: { month: month.month } }),
    onDone: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: monthsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['report'] }),
      ]);
      notify(t('{month} is closed.', { month: name }), { type: 'success' });
      onClose();
    },
    busyReason: '',
  });
  return (
    <FormDialog
      form={form}
      title={t('Close {month}?', { month: name })}
      confirm={t('Close the month')}
      problemTitle={t('The month is not closed')}
      onClose={onClose}
    >
      <p>
        {t(
          'Its reports stay as they are now. What is corrected later counts in the month of the correction.',
        )}
      </p>
    </FormDialog>
  );
}
