import {
  createSortedRowModel,
  functionalUpdate,
  type OnChangeFn,
  type RowData,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { textLanguage } from '#web/language/page-language.ts';
import type { Column } from '#web/ui/data/table.tsx';
import type { Sorting } from './sort-heading.tsx';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** One column sorts, first ascending, then descending, then none. */
export const SORTING_OPTIONS = { enableMultiSort: false, sortDescFirst: false } as const;

type Sortable<Item> = { columns: readonly Column<Item>[]; rows: readonly Item[] };

/** Rows sorted as the address says, and what the headings of their table do. */
export function useSorting<Item extends RowData>({ columns, rows }: Sortable<Item>) {
  const [sorting, onSortingChange] = useSortingInAddress();
  const table = useTable({
    ...SORTING_OPTIONS,
    ...{ features, columns: defineColumns(columns), data: rows },
    ...{ state: { sorting }, onSortingChange },
  });
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    sorting: describeSorting(table, sorting),
  };
}

/** Columns as the library sorts by them: figures by their amount, texts as the language sorts them. */
export function defineColumns<Item>(columns: readonly Pick<Column<Item>, 'id' | 'sortBy'>[]) {
  const { compare } = new Intl.Collator(textLanguage(), { numeric: true });
  return columns.map(({ id, sortBy }) => ({
    ...({ id, enableSorting: sortBy !== undefined, sortUndefined: 'last' } as const),
    accessorFn: (row: Item) => {
      const value = sortBy?.(row);
      return value === '' ? undefined : value;
    },
    sortFn: (a: Valued, b: Valued) => {
      const [first, second] = [a.getValue(id), b.getValue(id)];
      const areFigures = typeof first === 'number' && typeof second === 'number';
      return areFigures ? first - second : compare(String(first), String(second));
    },
  }));
}

type Valued = { getValue: (columnId: string) => unknown };
type Toggled = { getColumn: (id: string) => { toggleSorting: () => void } | undefined };

export function describeSorting(table: Toggled, [first]: SortingState): Sorting {
  return {
    by: first?.id ?? null,
    isDescending: first?.desc ?? false,
    onSort: (id) => table.getColumn(id)?.toggleSorting(),
  };
}

/** The sorting in the address: `?sort=name`, or `?sort=-name` if it is descending. */
export function useSortingInAddress(): [SortingState, OnChangeFn<SortingState>] {
  const [params, setParams] = useSearchParams();
  const text = params.get('sort') ?? '';
  const sorting = useMemo(() => readSorting(text), [text]);
  return [
    sorting,
    (update) => {
      const [next] = functionalUpdate(update, sorting);
      const changed = new URLSearchParams(params);
      if (next === undefined) changed.delete('sort');
      else changed.set('sort', next.desc ? `-${next.id}` : next.id);
      setParams(changed, { preventScrollReset: true });
    },
  ];
}

function readSorting(text: string): SortingState {
  const id = text.replace(/^-/, '');
  return id === '' ? [] : [{ id, desc: id !== text }];
}
