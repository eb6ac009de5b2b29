import { ticketPages } from '#contract/paths.ts';
import { getSailingStatus } from '#domain/sailings/sailing-status.ts';
import { describeCrossingTimes, describeLateness, type ShownTime } from '#sentences/crossing-times.ts';
import type { BadgeContent } from '#web/features/order/order-status.ts';
import { findShownZones } from '#web/features/sailing/shown-zones.ts';
import { formatClock, formatShortDay, formatTime, localDay } from '#web/features/site/local-time.ts';
import { formatClockForReader, formatDayForReader, isSameDay } from '#web/features/site/reader-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Departure, Departures } from '#web/platform/api/types.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';

export type Destination = Departure['destinations'][number];

/** A departing boat as one row shows it. */
export type Boat = Departure & {
  /** The port that the row names: the one asked for, or where the boat ends. */
  to: Destination;
  hasLeft: boolean;
};

/** Milliseconds since 1970. `isCurrent`: the data has the present state, otherwise the clock decides. */
type Moment = { now: number; isCurrent: boolean };

/** The boats of a list in their present state; only those to a port if its code is given. */
export function listBoats({ departures }: Departures, moment: Moment, toCode: string | null): Boat[] {
  return departures.flatMap((departure) => {
    const to = findDestination(departure, toCode);
    if (to === undefined) return [];
    const status = findStatus(departure, to, moment);
    return [{ ...departure, status, to, hasLeft: status === 'departed' || status === 'arrived' }];
  });
}

function findDestination({ destinations }: Departure, code: string | null): Destination | undefined {
  if (code !== null) return destinations.find(({ port }) => port.code === code);
  return destinations.findLast(({ isCanceled }) => !isCanceled) ?? destinations.at(-1);
}

function findStatus(departure: Departure, to: Destination, { now, isCurrent }: Moment): Departure['status'] {
  const { status, departsAt, delayMinutes, checkInOpensAt, checkInClosesAt } = departure;
  if (to.isCanceled) return 'canceled';
  if (isCurrent || status === 'canceled' || status === 'suspended') return status;
  return getSailingStatus(
    {
      decided: 'scheduled',
      departsAt: Date.parse(departsAt),
      arrivesAt: Number.POSITIVE_INFINITY,
      delayMinutes,
      checkInOpensAt: Date.parse(checkInOpensAt),
      checkInClosesAt: Date.parse(checkInClosesAt),
      reported: status === 'departed' || status === 'check_in_closed' ? status : null,
    },
    now,
  );
}

/** Every port that boats of a list go to, by name. */
export function listDestinations({ departures }: Departures): Destination['port'][] {
  const ports = departures.flatMap(({ destinations }) => destinations.map(({ port }) => port));
  const byCode = new Map(ports.map((port) => [port.code, port]));
  return [...byCode.values()].toSorted((a, b) => a.name.localeCompare(b.name, textLanguage()));
}

/** The time of departure as passengers read it. */
export function readDeparture({
  departsAt,
  departsLocal,
  expectedLocal,
  delayMinutes,
  status,
}: Boat): ShownTime {
  const planned = Date.parse(departsAt);
  const write = (instant: number) => formatClock(instant === planned ? departsLocal : expectedLocal);
  return describeCrossingTimes(
    t,
    { departsAt: planned, arrivesAt: planned, delayMinutes, isCanceled: status === 'canceled' },
    { departure: write, arrival: write },
  ).departs;
}

/** "9:15 AM", or with a zone as in the list of sailings. */
export function formatArrival({ departsLocal, zoneLabel, to }: Boat): string {
  const zones = findShownZones({ ...to, departsLocal, departsZoneLabel: zoneLabel });
  return formatTime(to.arrivesLocal, zones.arrives);
}

export function findBoatBadge({ status, delayMinutes, hasLeft }: Boat): BadgeContent {
  if (status === 'canceled') return { label: t('Canceled|a sailing'), tone: 'danger' };
  if (status === 'suspended') return { label: t('On hold'), tone: 'warning' };
  if (hasLeft) return { label: t('Departed'), tone: 'neutral' };
  if (delayMinutes > 0) return { label: describeLateness(t, delayMinutes), tone: 'warning' };
  return { label: t('On time'), tone: 'success' };
}

/** "Check-in open until 8:30 AM"; null for a boat that has left or does not run. */
export function describeCheckIn({ status, checkInOpensLocal, checkInClosesLocal }: Boat): string | null {
  if (status === 'scheduled') return t('Check-in opens {time}', { time: formatClock(checkInOpensLocal) });
  if (status === 'check_in_open') {
    return t('Check-in open until {time}', { time: formatClock(checkInClosesLocal) });
  }
  return status === 'check_in_closed' ? t('Check-in closed') : null;
}

/** How much room there is; null if there is plenty, and for a boat that has left or does not run. */
export function describeRoom({ status, hasLeft, to }: Boat): string | null {
  if (hasLeft || status === 'canceled' || status === 'suspended') return null;
  return to.availability === 'on_sale' && to.canBuy ? null : to.availabilityText;
}

/** When the first boat of the following days leaves: "tomorrow at 6:10 AM"; null if none does within a week. */
export function describeNext({ day, next }: Departures): string | null {
  if (next === null) return null;
  const time = formatClock(next.departsLocal);
  if (next.day === addDays(day, 1)) return t('tomorrow at {time}', { time });
  return t('{day} at {time}', { day: formatShortDay(next.day), time });
}

/** The day of a departure that leaves on another calendar day than the list's; null on that day. */
export function findOtherDay({ departsLocal }: Departure, { day }: Departures): string | null {
  const own = localDay(departsLocal);
  return own === day ? null : formatShortDay(own);
}

/** "Last checked 2:02 PM", with the day if it was not today; on this device's clock. */
export function describeCheck(checkedAt: number, now: number): string {
  const time = formatClockForReader(new Date(checkedAt));
  if (isSameDay(checkedAt, now)) return t('Last checked {time}', { time });
  return t('Last checked {day}, {time}', { day: formatDayForReader(new Date(checkedAt)), time });
}

/** Where a boat's tickets can be bought to. `isFiltered`: only the destination that its row names. */
export function listForSale({ to, destinations, hasLeft }: Boat, isFiltered: boolean): Destination[] {
  return hasLeft ? [] : (isFiltered ? [to] : destinations).filter(({ canBuy }) => canBuy);
}

/** The address that opens a purchase with the route, the day and the sailing chosen. */
export function purchasePath(from: string, { departsLocal }: Departure, to: Destination): string {
  const chosen = new URLSearchParams({
    from,
    to: to.port.code,
    date: localDay(departsLocal),
    sailing: to.sailingId,
  });
  return `${ticketPages.home}?${chosen}`;
}
