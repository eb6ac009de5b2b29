import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { isolateText } from '#domain/format/text-direction.ts';
import { findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import { formatList } from '#messages/intl.ts';
import { type CrossingTimes, describeCrossingTimes, writeShownTime } from '#sentences/crossing-times.ts';
import { describePolicy, type PolicyFormat } from '#sentences/fare-policy.ts';
import { describeOpenTicket } from '#sentences/tickets.ts';
import { textsIn } from '#server/core/texts.ts';
import type { TicketRow } from '../database/schema/sales.ts';
import type { TravelDocument, TravelLeg } from './travel-document.ts';

/** A leg with its departure. */
type Departure = { leg: LegName; departsAt: Date; origin: { timeZone: string } };

/** A ticket whose refund deadlines may count from an earlier boat, if it is still valid. */
type DatedTicket = Pick<TicketRow, 'leg' | 'status' | 'refundsCountFrom'>;

/**
 * A fare's rules, or the part that `describe` selects, with their deadlines, counted from the departures of the outbound
 * journey and the return; empty without a departure.
 */
export function describeFarePolicy(
  policy: FarePolicy,
  format: PolicyFormat,
  { legs, tickets = [] }: { legs: readonly Departure[]; tickets?: readonly DatedTicket[] },
  now: Date,
  describe: typeof describePolicy = describePolicy,
): string[] {
  const [out, back] = findJourneyStarts(legs).map(({ leg, departsAt, origin }) => ({
    departsAt: departsAt.getTime(),
    refundsCountFrom: Math.min(departsAt.getTime(), ...listEarlier(tickets, leg)),
    zone: origin.timeZone,
  }));
  return out ? describe(textsIn(format.language), policy, format, [out, back], now.getTime()) : [];
}

function listEarlier(tickets: readonly DatedTicket[], leg: LegName): number[] {
  return tickets
    .filter((ticket) => getDirection(ticket.leg) === getDirection(leg) && !isVoid(ticket))
    .flatMap(({ refundsCountFrom }) => refundsCountFrom?.getTime() ?? []);
}

/** The fare rules of an order at the time of purchase. */
export function describePurchasedPolicy({ order, legs, tickets }: TravelDocument): string[] {
  const format = { currency: order.currency, language: order.locale };
  const boughtAt = order.confirmedAt ?? order.insertedAt;
  return describeFarePolicy(order.farePolicy, format, { legs, tickets }, boughtAt);
}

type Crossing = Pick<TravelLeg, 'departsAt' | 'arrivesAt' | 'delayMinutes' | 'isCanceled'> & {
  origin: { name: string; timeZone: string };
  destination: { name: string; timeZone: string };
};

/** "Seattle → Bergen", from left to right, also where the names are read from right to left. */
export function describeRoute({ origin, destination }: Pick<Crossing, 'origin' | 'destination'>): string {
  return `${isolateText(origin.name)} → ${isolateText(destination.name)}`;
}

/** "Seattle → Bergen, Fri, June 5, 2026, 9:30 AM PDT", of a late boat with its new and its old departure. */
export function describeCrossing(crossing: Crossing, locale: string): string {
  const { origin, departsAt } = crossing;
  const day = formatDate(departsAt, origin.timeZone, locale);
  const time = writeShownTime(textsIn(locale), describeTimes(crossing, locale).departs);
  return `${describeRoute(crossing)}, ${day}, ${time}`;
}

/** What passengers read about the times of a crossing: "9:30 AM PDT". */
export function describeTimes(
  { departsAt, arrivesAt, delayMinutes, isCanceled, origin, destination }: Crossing,
  locale: string,
): CrossingTimes {
  return describeCrossingTimes(
    textsIn(locale),
    { departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes, isCanceled },
    {
      departure: (instant) => formatTimeWithZone(new Date(instant), origin.timeZone, locale),
      arrival: (instant) => formatTimeWithZone(new Date(instant), destination.timeZone, locale),
    },
  );
}

/** The date of a departure or arrival if it is not that of the planned departure; otherwise empty. */
export function describeOtherDay(
  { departsAt, origin }: Pick<Crossing, 'departsAt' | 'origin'>,
  { instant, zone }: { instant: number; zone: string },
  locale: string,
): string {
  const day = formatDate(new Date(instant), zone, locale);
  return day === formatDate(departsAt, origin.timeZone, locale) ? '' : day;
}

/** "via Orcas, Shaw"; empty for a direct boat. */
export function describeVia({ viaPorts }: Pick<TravelLeg, 'viaPorts'>, locale: string): string {
  if (viaPorts.length === 0) return '';
  const t = textsIn(locale);
  const ports = formatList(locale, viaPorts.map(isolateText), { type: 'unit' });
  return t('via {ports}', { ports });
}

/** "Open ticket: choose a sailing until Sat, June 13, 2026.", or that it is canceled; empty if it runs. */
export function describeCancellation(
  { isCanceled, openTicket }: Pick<TravelLeg, 'isCanceled' | 'openTicket'>,
  locale: string,
): string {
  const t = textsIn(locale);
  if (openTicket) return describeOpenTicket(t, formatDate(openTicket.until, openTicket.zone, locale));
  return isCanceled ? t('This sailing is canceled.') : '';
}

/** "Fri, June 5, 2026" in the port's zone, as screens write it. */
export function formatDate(instant: Date, zone: string, language: string): string {
  return formatInstant('day', instant.getTime(), { language, zone });
}

/** "9:30 AM PDT": a time is never shown without its zone. */
export function formatTimeWithZone(instant: Date, zone: string, language: string): string {
  const clock = formatInstant('clock', instant.getTime(), { language, zone });
  return `${clock} ${getZoneLabel(instant.getTime(), zone)}`;
}
