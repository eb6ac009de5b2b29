import { type DateStyle, formatInstant } from '#domain/format/dates.ts';
import { textLanguage } from '../text-language.ts';

/** A day as 'YYYY-MM-DD', without a time zone. Days compare as text. */
export type IsoDate = string;
type CalendarDay = { year: number; month: number; day: number };

export function parseDay(iso: IsoDate): CalendarDay {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  return { year, month, day };
}

export function formatIso({ year, month, day }: CalendarDay): IsoDate {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

export function isIsoDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && exists(parseDay(text));
}

export function daysInMonth(year: number, month: number): number {
  return utcDate({ year, month: month + 1, day: 0 }).getUTCDate();
}

/** 0 is Sunday. */
export function findWeekday(iso: IsoDate): number {
  return utcDate(parseDay(iso)).getUTCDay();
}

export function addDays(iso: IsoDate, days: number): IsoDate {
  const { year, month, day } = parseDay(iso);
  const date = utcDate({ year, month, day: day + days });
  return formatIso({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() });
}

/** Midnight in UTC, where days have no changes of the clock. The Date constructor reads years before 100 otherwise. */
function utcDate({ year, month, day }: CalendarDay): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** The same day of another month, or that month's last day. */
export function addMonths(iso: IsoDate, months: number): IsoDate {
  const { year, month, day } = parseDay(iso);
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
  return formatIso({ ...target, day: Math.min(day, daysInMonth(target.year, target.month)) });
}

export function clampDay(iso: IsoDate, min?: IsoDate, max?: IsoDate): IsoDate {
  if (min !== undefined && iso < min) return min;
  if (max !== undefined && iso > max) return max;
  return iso;
}

/** Six weeks from the Sunday on or before the first of the month. */
export function monthPage(year: number, month: number): IsoDate[] {
  const first = formatIso({ year, month, day: 1 });
  const start = addDays(first, -findWeekday(first));
  return Array.from({ length: 42 }, (_, index) => addDays(start, index));
}

/** The 12 years of a decade's page: the ten of the decade and one on either side. */
export function decadePage(year: number): number[] {
  const start = Math.floor(year / 10) * 10 - 1;
  return Array.from({ length: 12 }, (_, index) => start + index);
}

/** As typed in the field: month/day/year. */
export function formatTyped(iso: IsoDate): string {
  const { year, month, day } = parseDay(iso);
  return `${twoDigits(month)}/${twoDigits(day)}/${String(year).padStart(4, '0')}`;
}

/**
 * Month, day and year in this order, with any separator or (eight digits) none; year, month and day if the year has
 * four digits; with dots also day, month and year. Null if there is no such day, or if dots leave two days possible.
 */
export function parseTyped(text: string): IsoDate | null {
  const typed = text.trim();
  const yearFirst = /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})$/.exec(typed);
  if (yearFirst) return isoIfExists(yearFirst[1], yearFirst[2], yearFirst[3]);
  const [, month, day, year] =
    /^(\d{1,2})\D+(\d{1,2})\D+(\d{4}|\d{2})$/.exec(typed) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(typed) ?? [];
  const monthFirst = isoIfExists(year, month, day);
  if (!/^\d+\s*\.\s*\d+\s*\./.test(typed)) return monthFirst;
  const dayFirst = isoIfExists(year, day, month);
  const isUnclear = monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst;
  return isUnclear ? null : (monthFirst ?? dayFirst);
}

function isoIfExists(...parts: (string | undefined)[]): IsoDate | null {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const date = { year: year < 100 ? 2000 + year : year, month, day };
  return exists(date) ? formatIso(date) : null;
}

/** A day in words: "Saturday, July 4, 2026". */
export function formatLong(iso: IsoDate): string {
  return formatDay(iso, 'longDay');
}

export function formatDay(iso: IsoDate, style: DateStyle): string {
  return formatInstant(style, utcDate(parseDay(iso)).getTime(), { language: textLanguage(), zone: 'UTC' });
}

/** Today in the device's time zone. */
export function todayOnDevice(): IsoDate {
  const now = new Date();
  return formatIso({ year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() });
}

function exists({ year, month, day }: CalendarDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
