import { type DateStyle, formatInstant } from '#domain/format/dates.ts';
import { textLanguage } from '#web/language/page-language.ts';

/** "8:12 AM" on this device's clock. */
export function formatClockOnDevice(instant: string | Date): string {
  return formatOnDevice('clock', instant);
}

/** "Nov 3" on this device's clock. */
export function formatDayOnDevice(instant: string | Date): string {
  return formatOnDevice('monthDay', instant);
}

export function formatOnDevice(style: DateStyle, instant: string | Date): string {
  return formatInstant(style, new Date(instant).getTime(), { language: textLanguage() });
}

export function isSameDay(a: Date | number, b: Date | number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Whether `a` is of the day before that of `b`. */
export function isDayBefore(a: Date | number, b: Date | number): boolean {
  const dayBefore = new Date(b);
  dayBefore.setDate(dayBefore.getDate() - 1);
  return isSameDay(a, dayBefore);
}
