import { getFirstWeekday } from '#messages/weeks.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { addDays, daysInMonth, formatDay, formatIso, type IsoDate, parseDay } from './calendar.ts';

/** Six whole weeks from the one with the first of the month. */
export function monthPage(year: number, month: number): IsoDate[] {
  const first = formatIso({ year, month, day: 1 });
  const start = addDays(first, -countDaysIntoWeek(first));
  return Array.from({ length: 42 }, (_, index) => addDays(start, index));
}

/** The 12 years of a decade's page: the ten of the decade and one on either side. */
export function decadePage(year: number): number[] {
  const start = Math.floor(year / 10) * 10 - 1;
  return Array.from({ length: 12 }, (_, index) => start + index);
}

/** The days of its week before a day, in the page's language: 0 for a Sunday if weeks start on Sunday. */
export function countDaysIntoWeek(iso: IsoDate): number {
  return (new Date(iso).getUTCDay() - getFirstWeekday(textLanguage()) + 7) % 7;
}

/** The same day of another month, or that month's last day. */
export function addMonths(iso: IsoDate, months: number): IsoDate {
  const { year, month, day } = parseDay(iso);
  const index = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 };
  return formatIso({ ...target, day: Math.min(day, daysInMonth(target.year, target.month)) });
}

/** A day in words: "Saturday, July 4, 2026". */
export function formatLong(iso: IsoDate): string {
  return formatDay(iso, 'longDay');
}
