import type { RowData } from '@tanstack/react-table';
import type { TableProps } from '#web/ui/data/table.tsx';
import { LongTable } from './long-table.tsx';
import { renderSortHeading } from './sort-heading.tsx';
import { useSorting } from './use-sorting.ts';

/** A table whose columns with `sortBy` sort it. The address keeps which one, so a page has at most one such table. */
export function SortedTable<Row extends RowData>(props: TableProps<Row>) {
  const { rows, sorting } = useSorting(props);
  return <LongTable {...props} rows={rows} renderHeading={renderSortHeading(sorting)} />;
}
