import { stringify } from 'csv-stringify/sync';

/** A report for the operator: the names of its columns, and its rows. */
export type Table = { columns: readonly string[]; rows: readonly (readonly (string | number)[])[] };

const NEGATIVE_NUMBER = /^-\d+(\.\d+)?$/;

/** As CSV with a header line. Text that a spreadsheet would run as a formula is escaped, except negative numbers. */
export function formatCsv({ columns, rows }: Table): string {
  return stringify([columns, ...rows], {
    escape_formulas: true,
    record_delimiter: '\n',
    cast: { string: (value) => (NEGATIVE_NUMBER.test(value) ? { value, escape_formulas: false } : value) },
  }).trimEnd();
}

/** As text with aligned columns; numbers are aligned to the right. */
export function formatTable({ columns, rows }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const isNumber = columns.map((_, index) => rows.every((row) => /^-?[\d.]+$/.test(String(row[index]))));
  const lines = cells.map((row) =>
    row
      .map((cell, index) =>
        isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}
