import { formatInstant } from '#domain/format/dates.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { formatDay as formatDayAs, type IsoDate } from '#web/ui/calendar/calendar.ts';

/**
 * Times on a port's clock, read from the text itself: a device in another zone must show the same digits that
 * are painted on the terminal's wall, so the zone is never applied.
 */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})/;

export function localDay(local: string): IsoDate {
  return LOCAL_TIME.exec(local)?.[1] ?? '';
}

/** "8:40 AM" */
export function formatClock(local: string): string {
  return formatInstant('clock', Date.parse(`${local.slice(0, 16)}Z`), {
    language: textLanguage(),
    zone: 'UTC',
  });
}

/** "Fri, June 5, 2026" */
export function formatDay(iso: IsoDate): string {
  return formatDayAs(iso, 'day');
}

/** "Fri, Jun 5" */
export function formatShortDay(iso: IsoDate): string {
  return formatDayAs(iso, 'shortDay');
}

/** "8:40 AM PDT", or without a zone "8:40 AM" */
export function formatTime(local: string, zoneLabel: string): string {
  return `${formatClock(local)} ${zoneLabel}`.trimEnd();
}

/** "1 h 5 min" */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return t('{minutes} min', { minutes });
  return rest === 0 ? t('{hours} h', { hours }) : t('{hours} h {minutes} min', { hours, minutes: rest });
}

/**
 * A local time so many milliseconds later. A change of the port's clock in between is ignored, so the time holds with the
 * zone label of `local`.
 */
export function shiftLocalTime(local: string, milliseconds: number): string {
  const shifted = new Date(Date.parse(`${local.slice(0, 19)}Z`) + milliseconds);
  return shifted.toISOString().slice(0, 19) + local.slice(19);
}

const MINUTE_MS = 60_000;

/** Minutes between two instants of the wire; these are UTC, so `Date` reads them right. */
export function minutesBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS);
}
