import { useMemo } from 'react';
import { Link } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { REPORT_COLUMNS, type ReportColumn } from '#contract/reports/columns.ts';
import type { Report } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import type { Column } from '#web/ui/data/table.tsx';
import { SortedTable } from '../lists/sorted-table.tsx';
import { OrderLink } from '../orders/order-link.tsx';
import { formatValue, nameColumn, type ValueContext } from './report-texts.ts';

export type Row = { key: string; values: Report['rows'][number] };

/** Amounts that are zero in most periods, and would make their tables too wide. */
const RARE: readonly ReportColumn[] = ['exchanged', 'disputed', 'failed_payouts', 'not_in_books', 'other'];

type RowsTableProps = {
  caption: string;
  report: Pick<Report, 'columns' | 'rows'>;
  /** Instead of one for each value. */
  shownColumns?: Column<Row>[] | undefined;
};

/** The rows of a report, without columns that have no value. Orders and payouts are links. */
export function RowsTable({ caption, report: { columns, rows }, shownColumns }: RowsTableProps) {
  const { units } = useSettings();
  const items = useMemo(() => rows.map((values, index): Row => ({ key: String(index), values })), [rows]);
  const hasValues = (column: ReportColumn, index: number) =>
    rows.some((values) => values[index] !== '' && !(RARE.includes(column) && values[index] === 0));
  const listed = shownColumns ?? listColumns(columns.filter(hasValues), columns, units);
  return <SortedTable caption={caption} columns={listed} rows={items} getKey={({ key }) => key} />;
}

/** @param all the columns of the values */
export function listColumns(
  columns: readonly ReportColumn[],
  all: readonly ReportColumn[],
  units: ValueContext['units'],
): Column<Row>[] {
  return columns.map((column) => ({
    id: column,
    header: nameColumn(column),
    sortBy: ({ values }) => values[all.indexOf(column)] ?? '',
    cell: ({ values }) => {
      const text = formatValue(column, values[all.indexOf(column)] ?? '', {
        ...describeRow(values, all),
        units,
      });
      const isOfOrder = column === 'reference' && values[all.indexOf('source')] === 'order';
      if (isOfOrder) return <OrderLink reference={text} />;
      return column === 'payout' ? <Link to={fillPath(staffPages.payout, { id: text })}>{text}</Link> : text;
    },
    isShort: ['day', 'month', 'time'].includes(REPORT_COLUMNS[column]) || undefined,
    isFigure: ['money', 'count', 'percent', 'length'].includes(REPORT_COLUMNS[column]) || undefined,
  }));
}

export function describeRow(values: Row['values'], columns: readonly ReportColumn[]) {
  return {
    currency: String(values[columns.indexOf('currency')] ?? ''),
    isTrips: values[columns.indexOf('unit')] === 'trips',
  };
}
