import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { describePolicy } from '#domain/policy-text.ts';
import { zoneLabel } from '#domain/port-time.ts';
import type { TravelDocument } from './travel-document.ts';

/** A fare's rules with their deadlines, counted from the first sailing; none without a sailing. */
export function policyInWords(
  policy: FarePolicy,
  currency: string,
  first: { departsAt: Date; origin: { timeZone: string } } | undefined,
  now: Date,
): string[] {
  if (first === undefined) return [];
  const departure = { departsAt: first.departsAt.getTime(), zone: first.origin.timeZone };
  return describePolicy(policy, currency, departure, now.getTime());
}

/** The rules of an order's fare as they were when it was bought. */
export function boughtPolicyInWords({ order, legs }: TravelDocument): string[] {
  return policyInWords(order.farePolicy, order.currency, legs[0], order.confirmedAt ?? order.insertedAt);
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
