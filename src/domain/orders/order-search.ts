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
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** In lower case without accents, so that "Ångström" is found by "angstrom". */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(MARKS, '').toLowerCase();
}

export function foldCode(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** The parts of a search, at most eight. Each must match; a day is one part. */
export function parseSearch(text: string): SearchTerm[] {
  const words = foldText(text)
    .split(/[\s,]+/)
    .filter(Boolean);
  const terms: SearchTerm[] = [];
  for (let at = 0; at < words.length && terms.length < MAX_TERMS; ) {
    const { length, days } = readDay(words.slice(at, at + 3));
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
function readDay(words: readonly string[]): Reading {
  const [first = '', second = '', third = ''] = words;
  const written = readNumericDay(first);
  if (written.length > 0) return { length: 1, days: written };
  const month = readMonth(first);
  if (month !== null) {
    const day = readDate(second);
    if (day !== null) return withYear({ month, day }, third, 2);
    return withYear({ month }, second, 1);
  }
  const day = readDate(first);
  const monthAfter = day === null ? null : readMonth(second);
  if (day !== null && monthAfter !== null) return withYear({ month: monthAfter, day }, third, 2);
  const year = readYear(first);
  return { length: 1, days: year === null ? [] : [{ year }] };
}

function withYear(pattern: DayPattern, word: string, length: number): Reading {
  const year = readYear(word);
  return year === null ? { length, days: [pattern] } : { length: length + 1, days: [{ ...pattern, year }] };
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

/** 1 to 12; null for a word that is not a month's name or at least its first three letters. */
function readMonth(word: string): number | null {
  const name = word.replace(/\.$/, '');
  if (name.length < 3) return null;
  const at = name === 'sept' ? 8 : MONTHS.findIndex((month) => month.startsWith(name));
  return at < 0 ? null : at + 1;
}

/** "5", "5th", "5." */
function readDate(word: string): number | null {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th|\.)?$/.exec(word) ?? [];
  const day = Number(digits ?? 0);
  return day >= 1 && day <= 31 ? day : null;
}

function readYear(word: string): number | null {
  return /^20\d\d$/.test(word) ? Number(word) : null;
}

const MARKS = /[\u0300-\u036f]/g;
