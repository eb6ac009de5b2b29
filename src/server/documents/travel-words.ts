import { describePolicy } from '#domain/policy-text.ts';
import { zoneLabel } from '#domain/port-time.ts';
import type { TravelDocument } from './travel-document.ts';

/** The rules of the order's fare as they were when it was bought. */
export function policyInWords({ order, legs: [first] }: TravelDocument): string[] {
  if (first === undefined) return [];
  const boughtAt = order.confirmedAt ?? order.insertedAt;
  const departure = { departsAt: first.departsAt.getTime(), zone: first.origin.timeZone };
  return describePolicy(order.farePolicy, order.currency, departure, boughtAt.getTime());
}

/** "Fri, June 5, 2026" on the port's calendar, as screens write it. */
export function dateInWords(instant: Date, zone: string, locale: string): string {
  return formatOf(locale, {
    timeZone: zone,
    weekday: 'short',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  }).format(instant);
}

/** "9:30 AM PDT": never a time without saying whose. */
export function timeWithZone(instant: Date, zone: string, locale: string): string {
  return `${timeOfDay(instant, zone, locale)} ${zoneLabel(instant.getTime(), zone)}`;
}

/** "9:30 AM" on the port's clock. */
function timeOfDay(instant: Date, zone: string, locale: string): string {
  return formatOf(locale, { timeZone: zone, timeStyle: 'short' })
    .format(instant)
    .replace(/\u202f/g, ' ');
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // A locale the machine does not know falls back to its default, which would differ between machines.
  const known = Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 ? locale : 'en-US';
  return new Intl.DateTimeFormat(known, options);
}
