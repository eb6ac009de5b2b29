/**
 * Time in a port's zone. Instants are milliseconds since 1970 in UTC. A service day is the operator's day,
 * `YYYY-MM-DD`, whose last sailings may depart after midnight ("25:10:00").
 */

import { getDateFormat } from '#messages/intl.ts';
import { addDays } from './days.ts';

const SERVICE_TIME = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/;

/** Seconds of a timetable's time (`H:MM` or `H:MM:SS`, hours may exceed 24), or null if it is invalid. */
export function parseServiceTime(text: string): number | null {
  const parts = SERVICE_TIME.exec(text);
  if (!parts) return null;
  const [, hours, minutes, seconds = 0] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/**
 * The instant a service day's times count from: noon minus twelve hours, as GTFS defines it. This differs from midnight
 * on days with a clock change, so that sailings after the change depart at the printed time.
 */
export function getServiceDayStart(day: string, zone: string): number {
  const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '12:00' });
  return noon.epochMilliseconds - 12 * 3_600_000;
}

/** The local time of an instant with the zone's offset: `2026-03-29T01:30:00+01:00`. */
export function formatLocalTime(instant: number, zone: string): string {
  return inZone(instant, zone).toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/**
 * The instant of a local time, `HH:MM`, on a calendar day. A time that a clock change skips is moved forward, and of a
 * time that happens twice the first counts.
 */
export function getLocalInstant(day: string, clockTime: string, zone: string): number {
  const plain = Temporal.PlainDate.from(day).toPlainDateTime(clockTime);
  return plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** The local time of day of an instant: `HH:MM`. */
export function getClockTime(instant: number, zone: string): string {
  return formatLocalTime(instant, zone).slice(11, 16);
}

/** The calendar day in the zone at the instant. */
export function getLocalDay(instant: number, zone: string): string {
  return inZone(instant, zone).toPlainDate().toString();
}

/** The first instant of a calendar day in the zone: midnight, or the first existing time if a clock change skips it. */
export function getDayStart(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
}

/** A calendar day in the zone: its first instant, and the first one after it. */
export function getDayPeriod(day: string, zone: string): { from: number; until: number } {
  return { from: getDayStart(day, zone), until: getDayStart(addDays(day, 1), zone) };
}

/** The zone's abbreviation at the instant as used locally: "PST", "CET"; "GMT+9" if there is none. */
export function getZoneLabel(instant: number, zone: string): string {
  for (const locale of LABEL_LOCALES) {
    const label = readZoneLabel(locale, instant, zone);
    if (!/^GMT[+-]/.test(label)) return label;
  }
  return readZoneLabel('en-US', instant, zone);
}

/** Whole minutes from one instant to another, rounded down. */
export function countMinutes(from: number, to: number): number {
  return Math.floor((to - from) / 60_000);
}

/** Whether the name is a known zone of the IANA database. */
export function isTimeZone(zone: string): boolean {
  try {
    return /^[A-Za-z]/.test(zone) && getLabelFormat('en-US', zone) !== undefined;
  } catch {
    return false;
  }
}

function inZone(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

/** An abbreviation is known only in the locale of the people who use it. */
const LABEL_LOCALES = ['en-US', 'en-GB', 'en-AU'] as const;

function getLabelFormat(locale: string, zone: string): Intl.DateTimeFormat {
  return getDateFormat(locale, { timeZone: zone, timeZoneName: 'short' });
}

function readZoneLabel(locale: string, instant: number, zone: string): string {
  const parts = getLabelFormat(locale, zone).formatToParts(instant);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}
