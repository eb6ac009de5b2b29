/** The lines of a CSV file by its columns. */
export type CsvTable = { columns: string[]; rows: CsvRow[] };
export type CsvRow = Readonly<Record<string, string>>;

/**
 * Reads CSV text (RFC 4180) with a header line: any line endings, with or without a byte order mark. Names of columns are in
 * small letters, cells without spaces around them.
 */
export function parseCsvText(text: string): CsvTable {
  const [header = [], ...body] = parseLines(text.replace(/^\ufeff/, ''));
  const columns = header.map((name) => name.toLowerCase());
  const rows = body.map((cells) =>
    Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])),
  );
  return { columns, rows };
}

/** Writes CSV text, quoting only cells that need it. */
export function formatCsvText({ columns, rows }: CsvTable): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(quote).join(',')}\n`).join('');
}

/** Without lines that have no text. */
function parseLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"[^\S\r\n]*|([^,\r\n]*))(,|\r\n|\r|\n|$)/g,
  )) {
    line.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === ',') continue;
    if (line.some((cell) => cell !== '')) lines.push(line);
    line = [];
  }
  return lines;
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
