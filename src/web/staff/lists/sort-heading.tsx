// biome-ignore-all lint/a11y/noRedundantRoles: laid out as blocks, the parts of a table are none any more in some browsers
import type { Column } from '#web/ui/data/table.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './sort-heading.module.css';

/** How rows are sorted now, and what pressing the heading of a column does. */
export type Sorting = {
  by: string | null;
  isDescending: boolean;
  onSort: (columnId: string) => void;
};

/** Renders the headings of columns that sort; null for the others. */
export function renderSortHeading<Row>({ by, isDescending, onSort }: Sorting) {
  return ({ id, header, sortBy, isFigure }: Column<Row>) => {
    if (sortBy === undefined) return null;
    const direction = isDescending ? 'descending' : 'ascending';
    return (
      <th
        key={id}
        role="columnheader"
        scope="col"
        className={styles.heading}
        data-sortable
        data-figure={isFigure || undefined}
        aria-sort={by === id ? direction : undefined}
      >
        <button type="button" className={styles.sort} onClick={() => onSort(id)}>
          {header}
          <Icon name={by === id && isDescending ? 'chevron-down' : 'chevron-up'} size="small" />
        </button>
      </th>
    );
  };
}
