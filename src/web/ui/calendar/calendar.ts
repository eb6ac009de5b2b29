import { type DateStyle, formatInstant } from '#domain/format/dates.ts';
import { textLanguage } from '#web/language/page-language.ts';

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

export function clampDay(iso: IsoDate, min?: IsoDate, max?: IsoDate): IsoDate {
  if (min !== undefined && iso < min) return min;
  if (max !== undefined && iso > max) return max;
  return iso;
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
