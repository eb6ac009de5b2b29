import { formatInstant } from '#domain/format/dates.ts';
import { formatDay as formatDayAs, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { textLanguage } from '#web/ui/text-language.ts';

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

/** "8:40 AM PDT" */
export function formatTime(local: string, zoneLabel: string): string {
  return `${formatClock(local)} ${zoneLabel}`;
}

/** "1 h 5 min" */
export function formatDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** "1 hour earlier" than at the departure's clock; null where both ports' clocks agree. */
export function formatClockChange(departsLocal: string, arrivesLocal: string): string | null {
  const change = utcOffset(arrivesLocal) - utcOffset(departsLocal);
  if (change === 0) return null;
  const minutes = Math.abs(change);
  const hours = minutes / 60;
  const size = Number.isInteger(hours)
    ? `${hours} ${hours === 1 ? 'hour' : 'hours'}`
    : formatDuration(minutes);
  return `${size} ${change < 0 ? 'earlier' : 'later'}`;
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

/** Minutes ahead of UTC. */
function utcOffset(local: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(local) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}

/** Minutes between two instants of the wire; these are UTC, so `Date` reads them right. */
export function minutesBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS);
}
