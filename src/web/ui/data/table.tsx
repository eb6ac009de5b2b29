// biome-ignore-all lint/a11y/noRedundantRoles: laid out as blocks, the parts of a table are none any more in some browsers
import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { classes } from '../classes.ts';
import styles from './table.module.css';

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Aligns figures at the end of their column. */
  isFigure?: boolean | undefined;
  /** Keeps a few words, such as a day, in one line. */
  isShort?: boolean | undefined;
};

type TableProps<Row> = {
  caption: string;
  isCaptionHidden?: boolean | undefined;
  /** The first one names its row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
  /** Marks what is unusual about a row, which a cell also says in words. */
  getTone?: ((row: Row) => RowTone | undefined) | undefined;
};

export type RowTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

/** Where there is no room for the columns, each row becomes a block with the headers beside its cells. */
export function Table<Row>({
  caption,
  isCaptionHidden = false,
  columns,
  rows,
  getKey,
  getTone,
}: TableProps<Row>) {
  return (
    <div className={styles.room}>
      <table role="table" className={styles.table} data-marked={getTone ? true : undefined}>
        <caption className={classes(styles.caption, isCaptionHidden && 'visually-hidden')}>{caption}</caption>
        <thead role="rowgroup" className={styles.head}>
          <tr role="row">
            {columns.map(({ id, header, isFigure }) => (
              <th key={id} role="columnheader" scope="col" data-figure={isFigure || undefined}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={getKey(row)} role="row" tabIndex={-1} className={styles.row} data-tone={getTone?.(row)}>
              {columns.map((column, index) => (
                <Cell key={column.id} column={column} row={row} isHeader={index === 0} />
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr role="row">
              <td role="cell" colSpan={columns.length} className={styles.empty}>
                {t('There is nothing here yet.')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
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
