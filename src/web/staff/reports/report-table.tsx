import { REPORT_COLUMNS, type ReportColumn, type ReportName } from '#contract/reports/columns.ts';
import { t } from '#web/language/texts.ts';
import type { Report } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { BarList } from './bar-list.tsx';
import { LOAD_TOTALS, listLoadColumns } from './load-columns.ts';
import { formatValue, nameColumn, nameReport, type ValueContext } from './report-texts.ts';
import { describeRow, listColumns, type Row, RowsTable } from './rows-table.tsx';

/** A report as a picture of its main amounts, and as a table with its totals. */
export function ReportTable({ report }: { report: Report }) {
  const { units } = useSettings();
  const { columns, rows } = report;
  if (rows.length === 0) return <EmptyState icon="calendar" title={t('Nothing to report for these days')} />;
  const isLoads = report.report === 'loads';
  const totals = sumByCurrency(report);
  return (
    <>
      <BarList label={t('Chart of the report')} bars={listBars(report, units)} />
      {totals.length < rows.length && (
        <Table
          caption={t('{report}: totals', { report: nameReport(report.report) })}
          columns={listColumns(
            ['currency', ...columns.filter((each) => (isLoads ? LOAD_TOTALS.includes(each) : isTotal(each)))],
            columns,
            units,
          )}
          rows={totals}
          getKey={({ key }) => key}
        />
      )}
      <RowsTable
        caption={nameReport(report.report)}
        report={report}
        shownColumns={isLoads ? listLoadColumns(columns, units) : undefined}
      />
    </>
  );
}

/** The places and the lane of a vessel are on each pair of its ports, so that their sum says nothing. */
function isTotal(column: ReportColumn): boolean {
  if (column === 'places' || column === 'lane') return false;
  return ['money', 'count', 'length'].includes(REPORT_COLUMNS[column]);
}

/** The sums of all rows, one row for each currency and unit. */
function sumByCurrency({ columns, rows }: Report): Row[] {
  const groups = groupRows(rows, (values) => JSON.stringify(describeRow(values, columns)));
  return groups.map(([key, group]) => ({
    key,
    values: columns.map((column, index) =>
      column === 'people_percent'
        ? averagePercent(group, columns)
        : isTotal(column)
          ? group.reduce((sum, values) => sum + Number(values[index] ?? 0), 0)
          : (group[0]?.[index] ?? ''),
    ),
  }));
}

/** How full the boats were, of all their places. */
function averagePercent(rows: readonly Row['values'][], columns: readonly ReportColumn[]): number {
  const read = (values: Row['values'], column: ReportColumn) => Number(values[columns.indexOf(column)]);
  const places = rows.reduce((sum, values) => sum + read(values, 'places'), 0);
  const taken = rows.reduce(
    (sum, values) => sum + read(values, 'places') * read(values, 'people_percent'),
    0,
  );
  return places === 0 ? 0 : Math.round(taken / places);
}

/** What the picture shows: an amount by a column, or the amounts of the totals. */
const PICTURES: Readonly<Record<ReportName, { by: ReportColumn; of: ReportColumn } | null>> = {
  sales: { by: 'day', of: 'gross' },
  money: { by: 'method', of: 'net' },
  payouts: { by: 'day', of: 'net' },
  card_money: null,
  deferred: null,
  stored_value: null,
  open_items: { by: 'reference', of: 'closing' },
  invoices: null,
  cash_up: { by: 'staff', of: 'net' },
  drawers: { by: 'staff', of: 'difference' },
  loads: { by: 'route', of: 'people' },
  ledger: { by: 'debit', of: 'amount' },
};
const BARS = 31;

function listBars(report: Report, units: ValueContext['units']) {
  const { columns } = report;
  const picture = PICTURES[report.report];
  const [first] = sumByCurrency(report);
  if (!first) return [];
  const row = { ...describeRow(first.values, columns), units };
  if (picture === null) {
    return columns.filter(isTotal).map((column) => {
      const value = Number(first.values[columns.indexOf(column)]);
      return { label: nameColumn(column), value, text: formatValue(column, value, row) };
    });
  }
  const { by, of } = picture;
  // Amounts of different currencies have no common length.
  const comparable = report.rows.filter((values) => describeRow(values, columns).currency === row.currency);
  const groups = groupRows(comparable, (values) => values[columns.indexOf(by)] ?? '');
  return groups.slice(0, BARS).map(([key, group]) => {
    const value = group.reduce((sum, values) => sum + Number(values[columns.indexOf(of)] ?? 0), 0);
    return { label: formatValue(by, key, row), value, text: formatValue(of, value, row) };
  });
}

/** Rows by what a function says of them, in the order of their first rows. For browsers, which may lack Map.groupBy. */
function groupRows<Key>(
  rows: readonly Row['values'][],
  getKey: (values: Row['values']) => Key,
): [Key, Row['values'][]][] {
  const groups = new Map<Key, Row['values'][]>();
  for (const values of rows) {
    const key = getKey(values);
    groups.set(key, [...(groups.get(key) ?? []), values]);
  }
  return [...groups];
}
