import { CsvError, parse } from 'csv-parse/sync';
import { UNSAFE_TEXT } from '#contract/common.ts';
import { isDay, parseWeekdays } from '#domain/time/days.ts';
import { parseServiceTime } from '#domain/time/port-time.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import {
  describeUnknownLanguage,
  parseTranslationKey,
  type Translations,
  translationKey,
} from '#messages/translations.ts';
import type { FileInput, Problems } from './problems.ts';

/**
 * One row of a file. Every reader reports an invalid value as a problem and returns a harmless one, so that one run
 * finds all problems.
 */
export type Row = {
  line: number;
  /** The trimmed text; empty if the column is empty or missing. */
  text(column: string): string;
  required(column: string): string;
  int(column: string, range?: { min?: number; max?: number }): number | null;
  decimal(column: string): number | null;
  flag<Fallback extends boolean | null>(column: string, fallback: Fallback): boolean | Fallback;
  oneOf<Choice extends string, Fallback extends Choice | null>(
    column: string,
    choices: readonly Choice[],
    fallback: Fallback,
  ): Choice | Fallback;
  /** `YYYYMMDD` or `YYYY-MM-DD`. */
  day(column: string): string | null;
  /** Seconds; may exceed 24 hours. */
  time(column: string): number | null;
  weekdays(column: string): number | null;
  /** Money as decimal text, in minor units. */
  amount(column: string, exponent: number): number | null;
  /** The texts of columns such as `name@de`, by their fields in camel case; without empty ones. */
  translations(): Translations;
  problem(column: string | null, message: string): void;
};

/**
 * The columns of a file. Reading another column is a programming error. With `ignored`, columns that are in none of the
 * lists are noted. `translated`: those that may be there again for other languages.
 */
type TableRules = {
  isRequired?: boolean;
  required?: readonly string[];
  optional?: readonly string[];
  ignored?: readonly string[];
  translated?: readonly string[];
};

/** Longer than any text that people read in one cell. */
const MAX_CELL = 2000;

/** All but tabs and line breaks, which a quoted cell may have. */
const CONTROL = /[^\P{Cc}\t\r\n]/u;

const UNSAFE = new RegExp(UNSAFE_TEXT, 'gu');

/**
 * Parses a file: UTF-8 with or without a byte order mark, commas, double quotes, any line endings.
 * @returns its rows; none if the file is missing (`isRequired` makes that a problem) or unreadable
 */
export function readTable(
  { file, contents, problems }: Omit<FileInput, 'contents'> & { contents: Uint8Array | undefined },
  rules: TableRules = {},
): Row[] {
  if (!contents) {
    if (rules.isRequired) problems.addUnreadable(file, null, null, 'The file is missing.');
    return [];
  }
  const records = parseRecords({ file, contents, problems });
  const [header, ...body] = records;
  if (!header) {
    problems.addUnreadable(file, null, null, 'The file is empty; it needs at least its header line.');
    return [];
  }
  const columns = new Map(header.record.map((name, index) => [name.trim().toLowerCase(), index]));
  if (columns.size < header.record.length) problems.add(file, 1, null, 'A column is named twice.');
  const { required = [], optional, ignored = [], translated = [] } = rules;
  const missing = required.filter((name) => !columns.has(name));
  for (const name of missing) problems.addUnreadable(file, 1, name, 'The column is missing.');
  if (missing.length > 0) return [];
  const declared = optional && new Set([...required, ...optional]);
  const translations = findTranslations({ file, columns, problems }, translated);
  const unknown = [...columns.keys()].filter(
    (name) => declared && !declared.has(name) && !ignored.includes(name) && !isTranslation(name, translated),
  );
  if (unknown.length > 0)
    problems.note(`not read: columns of ${file} that are unknown: ${unknown.join(', ')}`);
  const width = header.record.length;
  const wider = body.find(
    ({ record }) => record.length > width && record.slice(width).some((cell) => cell.trim()),
  );
  if (wider) {
    problems.note(
      `not read: cells of ${file} beyond its columns, from line ${wider.line} on; is a comma in a value?`,
    );
  }
  const table = { file, columns, declared, translations, problems };
  return body.map(({ record, line }) => createRow(table, line, record));
}

/** Columns with texts in other languages: their names, and the keys of their texts. */
type TranslationColumn = { name: string; key: string };

function findTranslations(
  { file, columns, problems }: Pick<Table, 'file' | 'columns' | 'problems'>,
  translated: readonly string[],
): TranslationColumn[] {
  return [...columns.keys()].flatMap((name) => {
    const { field = '', tag = '' } = parseTranslationKey(name) ?? {};
    if (!translated.includes(field)) return [];
    const language = findOfferedLanguage(tag);
    if (language !== null) return [{ name, key: translationKey(toCamelCase(field), language) }];
    problems.add(file, 1, name, describeUnknownLanguage(tag));
    return [];
  });
}

function isTranslation(name: string, translated: readonly string[]): boolean {
  return translated.includes(parseTranslationKey(name)?.field ?? '');
}

function toCamelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type CsvRecord = { record: string[]; line: number };

function parseRecords({ file, contents, problems }: FileInput): CsvRecord[] {
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(contents);
    const control = CONTROL.exec(decoded);
    if (control) {
      const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      const line = decoded.slice(0, control.index).split('\n').length;
      problems.addUnreadable(
        file,
        line,
        null,
        `The line has the control character U+${code}, which is not text.`,
      );
      return [];
    }
    const text = decoded.replaceAll(UNSAFE, (character) => (/[\t\r\n]/.test(character) ? character : ''));
    if (text.length < decoded.length) problems.note(`removed: invisible characters in ${file}`);
    const parsed: unknown = parse(text, { relax_column_count: true, skip_empty_lines: true, info: true });
    return (parsed as { record: string[]; info: { lines: number } }[]).map((each) => ({
      record: each.record,
      line: each.info.lines,
    }));
  } catch (error) {
    if (error instanceof CsvError) {
      const line = (error as unknown as { lines?: unknown }).lines;
      const place = typeof line === 'number' ? line : null;
      problems.addUnreadable(file, place, null, 'The quotes do not pair up here.');
    } else problems.addUnreadable(file, null, null, 'The file is not UTF-8 text.');
    return [];
  }
}

type Table = {
  file: string;
  /** Indexes of the file's columns. */
  columns: ReadonlyMap<string, number>;
  /** The columns that may be read, if they are declared. */
  declared: ReadonlySet<string> | undefined;
  translations: readonly TranslationColumn[];
  problems: Problems;
};

function createRow(
  { file, columns, declared, translations, problems }: Table,
  line: number,
  record: readonly string[],
): Row {
  const problem = (column: string | null, message: string) => problems.add(file, line, column, message);
  const text = (column: string) => {
    if (declared && !declared.has(column)) throw new TypeError(`${file} has no declared column ${column}.`);
    return readCell(column);
  };
  const readCell = (column: string) => {
    const index = columns.get(column);
    const cell = (index === undefined ? '' : (record[index] ?? '')).trim();
    if (cell.length <= MAX_CELL) return /[\t\r\n]/.test(cell) ? cell.replaceAll(/\s+/g, ' ') : cell;
    problem(column, `The text has ${cell.length} characters; ${MAX_CELL} are allowed.`);
    return '';
  };
  /** Reads a cell that may be empty; null from `parse` is a problem. */
  const read = <Value>(column: string, parse: (cell: string) => Value | null, expected: string) => {
    const cell = text(column);
    if (cell === '') return null;
    const value = parse(cell);
    if (value === null) problem(column, `"${shorten(cell)}" is not ${expected}.`);
    return value;
  };
  return {
    line,
    text,
    problem,
    translations: () =>
      Object.fromEntries(
        translations.map(({ name, key }) => [key, readCell(name)]).filter(([, cell]) => cell !== ''),
      ),
    required(column) {
      const cell = text(column);
      if (cell === '') problem(column, 'A value is needed here.');
      return cell;
    },
    int(column, { min = 0, max = 1_000_000 } = {}) {
      const expected = `a whole number from ${min} to ${max}`;
      return read(column, (cell) => wholeNumber(cell, min, max), expected);
    },
    decimal: (column) =>
      read(column, (cell) => (/^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : null), 'a number'),
    flag: (column, fallback) => read(column, yesOrNo, 'yes or no') ?? fallback,
    oneOf: (column, choices, fallback) =>
      read(column, (cell) => choices.find((each) => each === cell) ?? null, `one of ${choices.join(', ')}`) ??
      fallback,
    day: (column) => read(column, calendarDay, 'a day, YYYYMMDD'),
    time: (column) => read(column, parseServiceTime, 'a time, H:MM, HH:MM or HH:MM:SS'),
    weekdays: (column) => read(column, parseWeekdays, 'weekdays such as "mon-fri", "sat sun" or "daily"'),
    amount: (column, exponent) =>
      read(
        column,
        (cell) => minorUnits(cell, exponent),
        `an amount of money with ${exponent} decimals at most`,
      ),
  };
}

function wholeNumber(cell: string, min: number, max: number): number | null {
  if (!/^-?\d{1,9}$/.test(cell)) return null;
  const value = Number(cell);
  return value >= min && value <= max ? value : null;
}

function yesOrNo(cell: string): boolean | null {
  if (/^(1|yes|true)$/i.test(cell)) return true;
  return /^(0|no|false)$/i.test(cell) ? false : null;
}

function calendarDay(cell: string): string | null {
  const day = cell.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return isDay(day) && day >= '1900-01-01' ? day : null;
}

/** Converts decimal text to minor units by moving the decimal point, without binary fractions. */
function minorUnits(cell: string, exponent: number): number | null {
  const parts = /^(\d{1,7})(?:\.(\d+))?$/.exec(cell);
  if (!parts) return null;
  const [, units = '', fraction = ''] = parts;
  if (fraction.length > exponent) return null;
  return Number(units + fraction.padEnd(exponent, '0'));
}

function shorten(cell: string): string {
  return cell.length > 40 ? `${cell.slice(0, 40)}…` : cell;
}
