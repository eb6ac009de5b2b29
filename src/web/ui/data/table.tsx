// biome-ignore-all lint/a11y/noRedundantRoles: laid out as blocks, the parts of a table are none any more in some browsers
import type { ComponentProps, ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { classes } from '../classes.ts';
import styles from './table.module.css';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What rows are sorted by where their table can be sorted; empty texts come last. */
  sortBy?: ((row: Row) => string | number) | undefined;
  /** Aligns figures at the end of their column. */
  isFigure?: boolean | undefined;
  /** Keeps a few words, such as a day, in one line. */
  isShort?: boolean | undefined;
};

export type TableProps<Row> = {
  caption: string;
  isCaptionHidden?: boolean | undefined;
  /** The first one names its row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** Marks what is unusual about a row, which a cell also says in words. */
  getTone?: ((row: Row) => RowTone | undefined) | undefined;
  /** Instead of a plain `th`, for headings that do something. */
  renderHeading?: ((column: Column<Row>) => ReactNode) | undefined;
};

export type RowTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

/** Where there is no room for the columns, each row becomes a block with the headers beside its cells. */
export function Table<Row>(props: TableProps<Row>) {
  const { rows, columns, getKey, getTone } = props;
  return (
    <TableFrame {...props}>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <TableRow key={getKey(row)} row={row} columns={columns} data-tone={getTone?.(row)} />
        ))}
      </tbody>
    </TableFrame>
  );
}

type TableFrameProps<Row> = TableProps<Row> & {
  /** The number of rows with the heading, if not all of them are in the page. */
  rowCount?: number | undefined;
  children: ReactNode;
};

/** A table around the body that holds its rows. */
export function TableFrame<Row>({
  caption,
  isCaptionHidden = false,
  columns,
  rows,
  getTone,
  renderHeading,
  rowCount,
  children,
}: TableFrameProps<Row>) {
  return (
    <div className={styles.room}>
      <table
        role="table"
        className={styles.table}
        data-marked={getTone ? true : undefined}
        aria-rowcount={rowCount}
      >
        <caption className={classes(styles.caption, isCaptionHidden && 'visually-hidden')}>{caption}</caption>
        <thead role="rowgroup" className={styles.head} data-sortable={renderHeading ? true : undefined}>
          <tr role="row" aria-rowindex={rowCount === undefined ? undefined : 1}>
            {columns.map(
              (column) =>
                renderHeading?.(column) ?? (
                  <th
                    key={column.id}
                    role="columnheader"
                    scope="col"
                    data-figure={column.isFigure || undefined}
                  >
                    {column.header}
                  </th>
                ),
            )}
          </tr>
        </thead>
        {rows.length > 0 && children}
        {rows.length === 0 && (
          <tbody role="rowgroup">
            <tr role="row">
              <td role="cell" colSpan={columns.length} className={styles.empty}>
                {t('There is nothing here yet.')}
              </td>
            </tr>
          </tbody>
        )}
      </table>
    </div>
  );
}

type TableRowProps<Row> = ComponentProps<'tr'> & {
  row: Row;
  columns: readonly Column<Row>[];
  'data-tone'?: RowTone | undefined;
};

export function TableRow<Row>({ row, columns, ...attributes }: TableRowProps<Row>) {
  return (
    <tr {...attributes} role="row" tabIndex={-1} className={styles.row}>
      {columns.map((column, index) => (
        <Cell key={column.id} column={column} row={row} isHeader={index === 0} />
      ))}
    </tr>
  );
}

type CellProps<Row> = { column: Column<Row>; row: Row; isHeader: boolean };

function Cell<Row>({ column: { header, cell, isFigure, isShort }, row, isHeader }: CellProps<Row>) {
  const content = cell(row);
  const kind = { 'data-figure': isFigure || undefined, 'data-short': isShort || undefined };
  if (isHeader) {
    return (
      <th role="rowheader" scope="row" className={styles.name} {...kind}>
        {content}
      </th>
    );
  }
  return (
    <td role="cell" className={styles.cell} {...kind} data-empty={content === '' || undefined}>
      <span className={styles.label} aria-hidden="true">
        {header}
      </span>
      {content}
    </td>
  );
}
