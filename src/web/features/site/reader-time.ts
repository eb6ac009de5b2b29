import { type DateStyle, formatInstant, readLocalDay, readLocalTime } from '#domain/format/dates.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { addDays, type IsoDate } from '#web/ui/calendar/calendar.ts';

/*
 * Instants on the reader's clock: customers read them on their device's, staff on the operator's, wherever they work. The
 * zone is named where the device shows another time.
 */

/** "8:12 AM" */
export function formatClockForReader(instant: string | Date): string {
  return formatForReader('clock', instant);
}

/** "Nov 3" */
export function formatDayForReader(instant: string | Date): string {
  return formatForReader('monthDay', instant);
}

const WITH_CLOCK: readonly DateStyle[] = ['clock', 'shortDayAndClock', 'dateAndClock', 'longDayAndClock'];

export function formatForReader(style: DateStyle, instant: string | Date): string {
  const at = new Date(instant).getTime();
  const zone = readerZone();
  const text = formatInstant(style, at, { language: textLanguage(), zone });
  const isNamed =
    zone !== undefined && WITH_CLOCK.includes(style) && readLocalTime(at, zone) !== readLocalTime(at);
  return isNamed ? `${text} ${getZoneLabel(at, zone)}` : text;
}

export function isSameDay(a: Date | number, b: Date | number): boolean {
  return readDay(a) === readDay(b);
}

/** Whether `a` is of the day before that of `b`. */
export function isDayBefore(a: Date | number, b: Date | number): boolean {
  return addDays(readDay(a), 1) === readDay(b);
}

export function isSameYear(a: Date | number, b: Date | number): boolean {
  return readDay(a).slice(0, 4) === readDay(b).slice(0, 4);
}

export function todayForReader(): IsoDate {
  return readDay(serverNow());
}

/** The first instant of a day. */
export function startOfReaderDay(day: IsoDate): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (instant: number) => Date.parse(`${readLocalTime(instant, readerZone())}Z`) - instant;
  // The clock may change between midnight in UTC and that of the reader.
  const near = midnight - offsetAt(midnight);
  return new Date(midnight - offsetAt(near)).toISOString();
}

function readDay(instant: Date | number): IsoDate {
  return readLocalDay(new Date(instant).getTime(), readerZone());
}

/** Undefined: the device's. */
function readerZone(): string | undefined {
  return pageConfig().time_zone;
}
