import {
  columnFacetingFeature,
  columnFilteringFeature,
  createFacetedRowModel,
  createFacetedUniqueValues,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_equals,
  type OnChangeFn,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toIsoDay } from '#domain/price-files/new-price.ts';
import { t } from '#web/language/texts.ts';
import { LongTable } from '#web/staff/lists/long-table.tsx';
import { renderSortHeading } from '#web/staff/lists/sort-heading.tsx';
import {
  defineColumns,
  describeSorting,
  SORTING_OPTIONS,
  useSortingInAddress,
} from '#web/staff/lists/use-sorting.ts';
import type { Column } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Cluster, Grid } from '#web/ui/layout/stack.tsx';
import {
  type Draft,
  type DraftRow,
  PRICE_FILE_RULES,
  type PriceFileName,
  readSortValue,
} from './price-files.ts';
import styles from './prices.module.css';

const features = tableFeatures({
  ...{ rowSelectionFeature, rowSortingFeature, columnFilteringFeature, columnFacetingFeature },
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  facetedRowModel: createFacetedRowModel(),
  facetedUniqueValues: createFacetedUniqueValues(),
});

/** Parameters of the address. */
const FILTERS = ['line', 'type'] as const;

type RowTableProps = {
  name: PriceFileName;
  draft: Draft;
  onType: (key: number, column: string, text: string) => void;
  onEdit: (row: DraftRow) => void;
  onRemove: (key: number) => void;
  /** Shown beside a row. */
  extra?: Column<DraftRow> | undefined;
  selected: RowSelectionState;
  onSelect: OnChangeFn<RowSelectionState>;
  /** What is done with the selected rows; without it none can be selected. */
  action?: ReactNode;
};

/** The rows of a file as the address filters and sorts them, with inputs. Enter and the arrow keys move between rows. */
export function RowTable({
  name,
  draft,
  onType,
  onEdit,
  onRemove,
  extra,
  selected,
  onSelect,
  action,
}: RowTableProps) {
  const { typed, kinds, nameRow, line, getType } = PRICE_FILE_RULES[name];
  const [params, setParams] = useSearchParams();
  const columnFilters = useMemo(
    () => FILTERS.flatMap((id) => (params.get(id) ? [{ id, value: params.get(id) }] : [])),
    [params],
  );
  const [sorting, onSortingChange] = useSortingInAddress();
  /** What rows are sorted by, so that typing moves none. */
  const [placed, setPlaced] = useState(() => mapCells(draft));
  if (placed.size !== draft.rows.length) setPlaced(mapCells(draft));

  function filterBy(id: string, value: string) {
    const changed = new URLSearchParams(params);
    if (value === '') changed.delete(id);
    else changed.set(id, value);
    setParams(changed, { preventScrollReset: true });
  }

  const columns: Column<DraftRow>[] = [
    {
      id: 'name',
      header: t('Row|of a file'),
      sortBy: ({ cells }) => nameRow(cells),
      cell: ({ key, cells }) => {
        const row = table.getRow(String(key));
        return (
          <span className={styles.name}>
            {action && (
              <input
                type="checkbox"
                className={styles.box}
                aria-label={t('Choose {row}', { row: nameRow(cells) })}
                checked={row.getIsSelected()}
                onChange={row.getToggleSelectedHandler()}
              />
            )}
            <span>
              {nameRow(cells)} <small>{t('line {number}', { number: row.index + 2 })}</small>
            </span>
          </span>
        );
      },
    },
    ...typed.map(
      ({ column, label }): Column<DraftRow> => ({
        id: column,
        header: t(label),
        sortBy: ({ key, cells }) => readSortValue(name, column, placed.get(key) ?? cells),
        cell: ({ key, cells }) => {
          const text = cells[column] ?? '';
          const isDay = kinds[column] === 'day';
          return (
            <input
              className={styles.input}
              type={isDay ? 'date' : 'text'}
              inputMode={isDay ? undefined : 'decimal'}
              autoComplete="off"
              data-column={column}
              aria-label={`${t(label)}: ${nameRow(cells)}`}
              value={isDay ? toIsoDay(text) : text}
              onChange={({ target }) => onType(key, column, target.value)}
            />
          );
        },
      }),
    ),
    ...(extra === undefined ? [] : [extra]),
    {
      id: 'actions',
      header: t('Actions'),
      cell: (row) => (
        <span className={styles.actions}>
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Edit {row}', { row: nameRow(row.cells) })}
            onClick={() => onEdit(row)}
          >
            {t('Edit|a row')}
          </Button>
          <Button
            variant="quiet"
            size="small"
            aria-label={t('Remove {row}', { row: nameRow(row.cells) })}
            onClick={() => onRemove(row.key)}
          >
            {t('Remove|a row')}
          </Button>
        </span>
      ),
    },
  ];
  const table = useTable<typeof features, DraftRow>({
    ...SORTING_OPTIONS,
    ...{ features, data: draft.rows, getRowId: ({ key }) => String(key) },
    columns: [
      ...defineColumns(columns),
      { id: 'line', accessorFn: ({ cells }) => cells[line] ?? '', filterFn: filterFn_equals },
      { id: 'type', accessorFn: ({ cells }) => getType(cells), filterFn: filterFn_equals },
    ],
    state: { sorting, columnFilters, rowSelection: selected },
    onSortingChange: (update) => {
      setPlaced(mapCells(draft));
      onSortingChange(update);
    },
    onRowSelectionChange: onSelect,
  });
  const rows = table.getRowModel().rows.map(({ original }) => original);
  const filter = (id: (typeof FILTERS)[number], label: string) => (
    <Filter
      label={label}
      values={[...(table.getColumn(id)?.getFacetedUniqueValues().keys() ?? [])]}
      value={params.get(id) ?? ''}
      onChange={(value) => filterBy(id, value)}
    />
  );
  return (
    <>
      <Grid>
        {filter('line', t('Line'))}
        {filter('type', t('Type|of a fare'))}
      </Grid>
      {action && (
        <Cluster>
          <Button variant="secondary" size="small" onClick={() => table.toggleAllRowsSelected(true)}>
            {t('{count, plural, one {Choose # row} other {Choose all # rows}}', { count: rows.length })}
          </Button>
          <Button variant="quiet" size="small" onClick={() => table.setRowSelection({})}>
            {t('Choose none')}
          </Button>
          {action}
        </Cluster>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that move between the inputs in it */}
      <div className={styles.rows} onKeyDown={moveBetweenRows}>
        <LongTable
          caption={name}
          isCaptionHidden
          columns={columns}
          rows={rows}
          getKey={({ key }) => String(key)}
          renderHeading={renderSortHeading(describeSorting(table, sorting))}
        />
      </div>
    </>
  );
}

function mapCells({ rows }: Draft): Map<number, DraftRow['cells']> {
  return new Map(rows.map(({ key, cells }) => [key, cells]));
}

type FilterProps = { label: string; values: string[]; value: string; onChange: (value: string) => void };

/** A choice among the values that rows have; nothing if there is no choice. */
function Filter({ label, values, value, onChange }: FilterProps) {
  const options = values.filter((each) => each !== '').toSorted();
  if (options.length < 2 && value === '') return null;
  return (
    <Select
      label={label}
      placeholder={t('All|to choose from')}
      options={options.map((each) => ({ value: each, label: each }))}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** In a date, the arrow keys change its parts. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const { target, key } = event;
  if (!(target instanceof HTMLInputElement) || target.dataset.column === undefined) return;
  const isDown = key === 'ArrowDown' || (key === 'Enter' && !event.shiftKey);
  const isUp = key === 'ArrowUp' || (key === 'Enter' && event.shiftKey);
  if ((!isDown && !isUp) || (target.type === 'date' && key !== 'Enter')) return;
  event.preventDefault();
  const column = [
    ...event.currentTarget.querySelectorAll<HTMLInputElement>(`[data-column="${target.dataset.column}"]`),
  ];
  const next = column[column.indexOf(target) + (isDown ? 1 : -1)];
  next?.focus();
  if (next?.type === 'text') next.select();
}
