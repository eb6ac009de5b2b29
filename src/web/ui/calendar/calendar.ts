import { DATE_CLICK_WINDOW_MS } from '../feedback/delays.ts';

/** A day as 'YYYY-MM-DD'. Days compare as text, and no clock or time zone ever touches them. */
export type IsoDate = string;
export type CalendarDay = { year: number; month: number; day: number };

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
export const WEEKDAY_NAMES = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

export function dayOf(iso: IsoDate): CalendarDay {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  return { year, month, day };
}

export function isoOf({ year, month, day }: CalendarDay): IsoDate {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

export function isIsoDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && exists(dayOf(text));
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** 0 is Sunday. */
export function weekdayOf(iso: IsoDate): number {
  return (((ordinalOf(dayOf(iso)) + 4) % 7) + 7) % 7;
}

export function addDays(iso: IsoDate, days: number): IsoDate {
  return isoOf(dayOfOrdinal(ordinalOf(dayOf(iso)) + days));
}

/** The same day of another month, or that month's last day. */
export function addMonths(iso: IsoDate, months: number): IsoDate {
  const { year, month, day } = dayOf(iso);
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
  return isoOf({ ...target, day: Math.min(day, daysInMonth(target.year, target.month)) });
}

export function clampDay(iso: IsoDate, min?: IsoDate, max?: IsoDate): IsoDate {
  if (min !== undefined && iso < min) return min;
  if (max !== undefined && iso > max) return max;
  return iso;
}

/** The 42 days of a month's page: six weeks from the Sunday on or before the first. */
export function monthPage(year: number, month: number): IsoDate[] {
  const first = isoOf({ year, month, day: 1 });
  const start = addDays(first, -weekdayOf(first));
  return Array.from({ length: 42 }, (_, index) => addDays(start, index));
}

/** The 12 years of a decade's page: the ten of the decade and one on either side. */
export function decadePage(year: number): number[] {
  const start = Math.floor(year / 10) * 10 - 1;
  return Array.from({ length: 12 }, (_, index) => start + index);
}

/** As typed in the field: month/day/year. */
export function formatTyped(iso: IsoDate): string {
  const { year, month, day } = dayOf(iso);
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
  return monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst
    ? null
    : (monthFirst ?? dayFirst);
}

function isoIfExists(...parts: (string | undefined)[]): IsoDate | null {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const date = { year: year < 100 ? 2000 + year : year, month, day };
  return exists(date) ? isoOf(date) : null;
}

/** "Saturday, July 4, 2026": what a screen reader says of a day. */
export function formatLong(iso: IsoDate): string {
  const { year, month, day } = dayOf(iso);
  return `${WEEKDAY_NAMES[weekdayOf(iso)]}, ${MONTH_NAMES[month - 1]} ${day}, ${year}`;
}

/** The day it is on this device; the only place here that reads a clock. */
export function todayOnDevice(): IsoDate {
  const now = new Date();
  return isoOf({ year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() });
}

export type DayChoice = { iso: IsoDate; at: number };

/** True for the second click of a double click on a day, which closes the calendar without choosing the day again. */
export function isAccidentalRepeat(last: DayChoice | null, next: DayChoice): boolean {
  return last !== null && last.iso === next.iso && next.at - last.at < DATE_CLICK_WINDOW_MS;
}

function exists({ year, month, day }: CalendarDay): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March so that leap days come last.
function ordinalOf({ year, month, day }: CalendarDay): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function dayOfOrdinal(ordinal: number): CalendarDay {
  const shifted = ordinal + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}
