import { type DateStyle, formatInstant } from '#domain/format/dates.ts';
import { textLanguage } from '#web/language/page-language.ts';

/*
 * Instants on the reader's clock: that of the device, unless the host sets another one.
 */

/** A clock that is not the device's. Only hosts that set one load its code. */
export type ReaderClock = {
  zone: string;
  /** Adds the zone to a formatted time, where the device shows another one. */
  nameZone(text: string, style: DateStyle, instant: number): string;
  /** A date whose parts on this device are those of the clock. */
  toDate(instant: number): Date;
};

let clock: ReaderClock | undefined;

export function setReaderClock(other: ReaderClock | undefined): void {
  clock = other;
}

/** "8:12 AM" */
export function formatClockForReader(instant: string | Date): string {
  return formatForReader('clock', instant);
}

/** "Nov 3" */
export function formatDayForReader(instant: string | Date): string {
  return formatForReader('monthDay', instant);
}

export function formatForReader(style: DateStyle, instant: string | Date): string {
  const at = new Date(instant).getTime();
  const text = formatInstant(style, at, { language: textLanguage(), zone: clock?.zone });
  return clock?.nameZone(text, style, at) ?? text;
}

export function isSameDay(a: Date | number, b: Date | number): boolean {
  return toDate(a).toDateString() === toDate(b).toDateString();
}

/** Whether `a` is of the day before that of `b`. */
export function isDayBefore(a: Date | number, b: Date | number): boolean {
  const dayBefore = toDate(b);
  dayBefore.setDate(dayBefore.getDate() - 1);
  return toDate(a).toDateString() === dayBefore.toDateString();
}

export function isSameYear(a: Date | number, b: Date | number): boolean {
  return toDate(a).getFullYear() === toDate(b).getFullYear();
}

function toDate(instant: Date | number): Date {
  const date = new Date(instant);
  return clock?.toDate(date.getTime()) ?? date;
}
