import { type DateField, listDateParts, nameDateField } from '#messages/typed-dates.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { formatIso, type IsoDate, isIsoDate } from './calendar.ts';

/** As typed in the field: month/day/year in English, otherwise in the order of the page's language. */
export function formatTyped(iso: IsoDate): string {
  const [year = '', month = '', day = ''] = iso.split('-');
  const digits = { year, month, day };
  return writeDate((field) => digits[field]);
}

/** What to type: "month/day/year", "Tag.Monat.Jahr". */
export function describeTyped(): string {
  return writeDate((field) => nameDateField(textLanguage(), field));
}

/** The same in letters: "mm/dd/yyyy", "TT.MM.JJJJ". */
export function abbreviateTyped(): string {
  return writeDate((field, { length }) => nameDateField(textLanguage(), field).charAt(0).repeat(length));
}

function writeDate(write: (field: DateField, example: string) => string): string {
  return listDateParts(textLanguage())
    .map(({ field, text }) => (field === null ? text : write(field, text)))
    .join('');
}

/**
 * Reads a date in the order of the page's language, with any separator or (eight digits) none, or with a year of four
 * digits first. Null if there is no such day, or if it could be one of two: dots do not stand between month and day in
 * English, and languages that write the year first have no order for dates that end with it.
 */
export function parseTyped(text: string): IsoDate | null {
  const typed = text.trim();
  const order = listDateParts(textLanguage()).flatMap(({ field }) => field ?? []);
  const isYearFirst = order[0] === 'year';
  const yearFirst = (
    isYearFirst ? /^(?!\d{5,7}$)(\d{4})\D*(\d\d?)\D*(\d\d?)$/ : /^(\d{4})\D+(\d\d?)\D+(\d\d?)$/
  ).exec(typed);
  if (yearFirst) return toIso(...yearFirst.slice(1));
  const [, first, second, year] =
    /^(\d{1,2})\D+(\d{1,2})\D+(\d{4}|\d{2})$/.exec(typed) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(typed) ?? [];
  const monthFirst = toIso(year, first, second);
  const dayFirst = toIso(year, second, first);
  const isMonthFirst = order.indexOf('month') < order.indexOf('day');
  const hasDots = /^\d+\s*\.\s*\d+\s*\./.test(typed);
  if (!isYearFirst && !(isMonthFirst && hasDots)) return isMonthFirst ? monthFirst : dayFirst;
  const isUnclear = monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst;
  return isUnclear ? null : (monthFirst ?? dayFirst);
}

function toIso(...parts: (string | undefined)[]): IsoDate | null {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const iso = formatIso({ year: year < 100 ? 2000 + year : year, month, day });
  return isIsoDate(iso) ? iso : null;
}
