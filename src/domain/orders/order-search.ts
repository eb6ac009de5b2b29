import { getDateFormat } from '#messages/intl.ts';

/** A part of a search that must match an order: as text, or as the day of a departure. */
export type SearchTerm = {
  /** Folded, for names and ports. */
  text: string;
  /** Letters and digits only, for references and license plates; may be empty. */
  code: string;
  days: readonly DayPattern[];
};

/** A calendar day or a part of one: "June", "June 5", "June 5, 2026". */
export type DayPattern = { year?: number; month?: number; day?: number };

/** What a search compares with its words. `days`: of the departures in their ports' time, `YYYY-MM-DD`. */
export type SearchedOrder = { names: readonly string[]; codes: readonly string[]; days: readonly string[] };

const MAX_TERMS = 8;

/** In lower case without accents, so that "Ångström" is found by "angstrom". */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').toLowerCase();
}

export function foldCode(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The parts of a search, at most eight. Each must match; a day is one part.
 * @param language of the names of months and days, beside English
 */
export function parseSearch(text: string, language: string): SearchTerm[] {
  const names = listDateNames(language);
  const words = foldText(text)
    .split(/[\s,]+/)
    .filter(Boolean);
  const terms: SearchTerm[] = [];
  for (let at = 0; at < words.length && terms.length < MAX_TERMS; ) {
    const { length, days } = readDay(words.slice(at, at + 4), names);
    const part = words.slice(at, at + length).join(' ');
    terms.push({ text: part, code: foldCode(part), days });
    at += length;
  }
  return terms;
}

/** The same comparison as the server's, for orders that a device has saved. */
export function matchesSearch({ names, codes, days }: SearchedOrder, terms: readonly SearchTerm[]): boolean {
  return terms.every(
    ({ text, code, days: patterns }) =>
      names.some((name) => foldText(name).includes(text)) ||
      (code !== '' && codes.some((each) => foldCode(each).includes(code))) ||
      days.some((day) => patterns.some((pattern) => isDay(day, pattern))),
  );
}

function isDay(day: string, pattern: DayPattern): boolean {
  const [year, month, date] = day.split('-').map(Number);
  return (
    (pattern.year ?? year) === year && (pattern.month ?? month) === month && (pattern.day ?? date) === date
  );
}

type Reading = { length: number; days: DayPattern[] };

/** Reads a day at the start of the words. `length`: the number of words that it takes; one for a word that is not a day. */
function readDay(words: readonly string[], names: DateNames): Reading {
  const [first = '', ...rest] = words;
  if (names.weekdays.has(withoutDot(first))) {
    const { length, days } = readDay(rest, names);
    return days.length > 0 ? { length: length + 1, days } : { length: 1, days: [] };
  }
  const [second = '', third = ''] = rest;
  const written = readNumericDay(first);
  if (written.length > 0) return { length: 1, days: written };
  const months = readMonths(first, names);
  if (months.length > 0) {
    const day = readDate(second);
    if (day !== null) return withYear(months, { day }, third, 2);
    return withYear(months, {}, second, 1);
  }
  const day = readDate(first);
  const monthsAfter = day === null ? [] : readMonths(second, names);
  if (day !== null && monthsAfter.length > 0) return withYear(monthsAfter, { day }, third, 2);
  const year = readYear(first);
  return { length: 1, days: year === null ? [] : [{ year }] };
}

function withYear(months: readonly number[], day: DayPattern, word: string, length: number): Reading {
  const year = readYear(word);
  const days = months.map((month) => ({ ...day, month, ...(year === null ? {} : { year }) }));
  return { length: year === null ? length : length + 1, days };
}

/** "2026-06-05", "6/5", "5.6.2026". Without a year first, day and month may come in either order. */
function readNumericDay(word: string): DayPattern[] {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word);
  if (iso) return listValid([{ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }]);
  const [, a, b, year] = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?\.?$/.exec(word) ?? [];
  if (a === undefined || b === undefined) return [];
  const rest = year === undefined ? {} : { year: Number(year) };
  return listValid([
    { ...rest, month: Number(a), day: Number(b) },
    ...(a === b ? [] : [{ ...rest, month: Number(b), day: Number(a) }]),
  ]);
}

function listValid(days: readonly DayPattern[]): DayPattern[] {
  return days.filter(({ month = 0, day = 0 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

/** 1 to 12; several for letters that more than one month begins with, none for less than three letters. */
function readMonths(word: string, { months }: DateNames): number[] {
  const name = withoutDot(word);
  if (name.length < 3) return [];
  return [...new Set(months.filter((each) => each.name.startsWith(name)).map(({ month }) => month))];
}

type DateNames = { months: readonly { name: string; month: number }[]; weekdays: ReadonlySet<string> };

/** In full and abbreviated, folded and without dots. */
function listDateNames(language: string): DateNames {
  const formats = ['en', language].flatMap((each) =>
    (['long', 'short'] as const).map(
      (width) => (part: 'month' | 'weekday', day: number) =>
        withoutDot(
          foldText(getDateFormat(each, { [part]: width, timeZone: 'UTC' }).format(day * MS_PER_DAY)),
        ),
    ),
  );
  return {
    months: MONTHS.flatMap((month) =>
      formats.map((format) => ({ name: format('month', month * DAYS_PER_MONTH - 15), month })),
    ),
    weekdays: new Set(DAYS_OF_WEEK.flatMap((day) => formats.map((format) => format('weekday', day)))),
  };
}

const MS_PER_DAY = 86_400_000;
/** On average, so that 15 days less is about the middle of a month of 1970. */
const DAYS_PER_MONTH = 365 / 12;
const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
const DAYS_OF_WEEK = MONTHS.slice(0, 7);

function withoutDot(word: string): string {
  return word.replace(/\.$/, '');
}

/** "5", "5th", "5.", "1er" */
function readDate(word: string): number | null {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th|er|\.)?$/.exec(word) ?? [];
  const day = Number(digits ?? 0);
  return day >= 1 && day <= 31 ? day : null;
}

function readYear(word: string): number | null {
  return /^20\d\d$/.test(word) ? Number(word) : null;
}

const MARKS = /[\u0300-\u036f]/g;
