import { downloadTimetableFile } from '#contract/desk/timetable/endpoints.ts';
import type { PRICE_FILES } from '#contract/desk/timetable/limits.ts';
import { type CsvRow, formatCsvText, parseCsvText } from '#domain/price-files/csv-text.ts';
import { type Message, message } from '#messages/translate.ts';
import { download } from '#web/platform/api/file.ts';

export type PriceFileName = (typeof PRICE_FILES)[number];

/** A row being edited. `key` stays, whatever is added and removed. */
export type DraftRow = { key: number; cells: CsvRow };

/** A file being edited. `saved`: its text on the server; `loaded`: its rows as they were then. */
export type Draft = {
  saved: string;
  loaded: readonly DraftRow[];
  /** Those that the file has. */
  ownColumns: string[];
  columns: string[];
  rows: DraftRow[];
};

/** How a column is typed. Money is decimal text with a point, as in the file. */
type ColumnKind = 'text' | 'amount' | 'day' | 'number' | readonly string[];

type PriceFile = {
  /** Labels of the columns that are typed in the table, in their order. */
  typed: readonly { column: string; label: Message }[];
  /** The columns of a new row, and how they are typed; `text` if a column is not here. */
  kinds: Readonly<Record<string, ColumnKind>>;
  /** What a row is called. */
  nameRow: (cells: CsvRow) => string;
  /** The columns that rows are filtered by. */
  line: string;
  getType: (cells: CsvRow) => string;
};

export const PRICE_FILE_RULES: Readonly<Record<PriceFileName, PriceFile>> = {
  'fares.csv': {
    typed: [
      { column: 'amount', label: message('Amount') },
      { column: 'valid_from', label: message('First day') },
      { column: 'valid_until', label: message('Last day') },
    ],
    kinds: {
      fare_class: 'text',
      kind: ['passenger', 'vehicle', 'bicycle'],
      passenger_type: 'text',
      vehicle_type: 'text',
      amount: 'amount',
      route_id: 'text',
      valid_from: 'day',
      valid_until: 'day',
      weekdays: 'text',
      step_amount: 'amount',
      tax_percent: 'amount',
      base_cm: 'number',
      step_cm: 'number',
      priority: 'number',
    },
    nameRow: ({ route_id, fare_class, weekdays, ...cells }) =>
      joinTexts([route_id, joinPorts(cells), fare_class, getFareType(cells), weekdays]),
    line: 'route_id',
    getType: getFareType,
  },
  'promo_codes.csv': {
    typed: [
      { column: 'value', label: message('Worth') },
      { column: 'starts_on', label: message('First day') },
      { column: 'ends_on', label: message('Last day') },
      { column: 'max_redemptions', label: message('Most orders') },
    ],
    kinds: {
      code: 'text',
      kind: ['percent', 'amount'],
      value: 'amount',
      route_ids: 'text',
      starts_on: 'day',
      ends_on: 'day',
      max_redemptions: 'number',
    },
    nameRow: ({ code, kind, route_ids }) => joinTexts([code, kind, route_ids]),
    line: 'route_ids',
    getType: ({ kind = '' }) => kind,
  },
};

/** The text of a file on the server. */
export async function loadPriceFile(name: PriceFileName): Promise<string> {
  const { contents } = await download(downloadTimetableFile, { params: { name } });
  return contents.text();
}

/** A cell for sorting. */
export function readSortValue(name: PriceFileName, column: string, cells: CsvRow): string | number {
  const text = cells[column] ?? '';
  const kind = PRICE_FILE_RULES[name].kinds[column];
  return text !== '' && (kind === 'amount' || kind === 'number') ? Number(text.replace(',', '.')) : text;
}

let lastKey = 0;

export function createRow(cells: CsvRow): DraftRow {
  lastKey += 1;
  return { key: lastKey, cells };
}

export function openDraft(name: PriceFileName, saved: string): Draft {
  const { columns, rows } = parseCsvText(saved);
  const missing = Object.keys(PRICE_FILE_RULES[name].kinds).filter((column) => !columns.includes(column));
  const loaded = rows.map(createRow);
  return { saved, loaded, ownColumns: columns, columns: [...columns, ...missing], rows: loaded };
}

/** The text of a file with what was typed. Columns that the file does not have are only written if a row fills them. */
export function writeDraft(name: PriceFileName, { ownColumns, columns, rows }: Draft): string {
  const used = columns.filter(
    (column) => ownColumns.includes(column) || rows.some(({ cells }) => (cells[column] ?? '') !== ''),
  );
  return formatCsvText({ columns: used, rows: rows.map(({ cells }) => normalizeCells(name, cells)) });
}

/** Whether a draft differs from the file on the server. */
export function isChanged(name: PriceFileName, draft: Draft): boolean {
  const { loaded, rows } = draft;
  return (
    rows.length !== loaded.length ||
    rows.some(({ cells }, index) => {
      const before = loaded[index]?.cells ?? {};
      return cells !== before && !haveSameTexts(normalizeCells(name, cells), before);
    })
  );
}

/** A cell that was not there before is the same while it is empty. */
function haveSameTexts(cells: CsvRow, before: CsvRow): boolean {
  return Object.entries(cells).every(([column, text]) => text === (before[column] ?? ''));
}

/** Decimals typed with a comma are written with a point. */
function normalizeCells(name: PriceFileName, cells: CsvRow): CsvRow {
  const { kinds } = PRICE_FILE_RULES[name];
  return Object.fromEntries(
    Object.entries(cells).map(([column, text]) => [
      column,
      kinds[column] === 'amount' ? text.trim().replace(/^(\d+),(\d+)$/, '$1.$2') : text.trim(),
    ]),
  );
}

function getFareType({ kind = '', passenger_type = '', vehicle_type = '' }: CsvRow): string {
  return passenger_type || vehicle_type || kind;
}

function joinPorts(cells: CsvRow): string {
  const [from, to] = [
    cells.origin_stop_id || cells.origin_zone || '',
    cells.destination_stop_id || cells.destination_zone || '',
  ];
  return from === '' && to === '' ? '' : `${from || '…'} – ${to || '…'}`;
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(', ');
}
