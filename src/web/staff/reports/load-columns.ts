import type { ReportColumn } from '#contract/reports/columns.ts';
import { getNumberFormat } from '#messages/intl.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Column } from '#web/ui/data/table.tsx';
import { formatValue, nameColumn, type ValueContext } from './report-texts.ts';
import { describeRow, type Row } from './rows-table.tsx';

/** What the sums of all boats tell; the CSV file has the rest. */
export const LOAD_TOTALS: readonly ReportColumn[] = [
  ...(['people', 'people_percent', 'boarded', 'no_shows', 'left_behind', 'vehicles', 'gross'] as const),
];

const WHOLE_PERCENT: Intl.NumberFormatOptions = { style: 'percent', maximumFractionDigits: 0 };

/**
 * The columns of the loads for people: fewer than the report has, and empty where there is nothing to tell.
 * @param all the columns of the values
 */
export function listLoadColumns(all: readonly ReportColumn[], units: ValueContext['units']): Column<Row>[] {
  const read = ({ values }: Row, column: ReportColumn) => values[all.indexOf(column)] ?? '';
  const format = (row: Row, column: ReportColumn) =>
    formatValue(column, read(row, column), { ...describeRow(row.values, all), units });
  const formatUnlessZero = (row: Row, column: ReportColumn) =>
    read(row, column) === 0 ? '' : format(row, column);
  const formatPercent = (row: Row, column: ReportColumn) => {
    const value = read(row, column);
    return value === '' ? '' : getNumberFormat(textLanguage(), WHOLE_PERCENT).format(Number(value) / 10_000);
  };
  const isUnknown = (row: Row) => read(row, 'gate') === 'unused';
  const show = (column: ReportColumn, cell = format): Column<Row> => ({
    ...{ id: column, header: nameColumn(column), cell: (row) => cell(row, column) },
    sortBy: (row) => read(row, column),
  });
  const showFigure = (column: ReportColumn, cell = format) => ({ ...show(column, cell), isFigure: true });
  return [
    {
      id: 'departs',
      header: t('Departure|a time'),
      sortBy: (row) => `${read(row, 'day')} ${read(row, 'time')}`,
      cell: (row) => `${keepTogether(format(row, 'day'))}, ${keepTogether(format(row, 'time'))}`,
    },
    { ...show('route'), isShort: true },
    show('vessel'),
    show('people', (row) => {
      const [taken, total] = [format(row, 'people'), format(row, 'places')];
      const percent = formatPercent(row, 'people_percent');
      const people = keepTogether(t('{taken} of {total}', { taken, total }));
      return percent === '' ? people : `${people} (${keepTogether(percent)})`;
    }),
    showFigure('boarded', (row, column) =>
      read(row, 'gate') === 'used' ? format(row, column) : formatUnlessZero(row, column),
    ),
    show('no_shows', (row) =>
      isUnknown(row) && read(row, 'people') !== 0 ? t('no gate used') : format(row, 'no_shows'),
    ),
    showFigure('vehicles', formatUnlessZero),
    show('lane_percent', (row) => {
      const [lane, tall] = [formatPercent(row, 'lane_percent'), formatPercent(row, 'tall_lane_percent')];
      const hasTall = Number(read(row, 'tall_lane_percent')) > 0;
      return hasTall ? keepTogether(t('{lane}, tall {tall}', { lane, tall })).replace(',\u00a0', ', ') : lane;
    }),
    showFigure('left_behind', formatUnlessZero),
    showFigure('gross', formatUnlessZero),
  ];
}

/** Rows stay low if their cells break only between their parts. */
function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}
