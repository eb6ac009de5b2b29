import { ICalAlarmType, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import type { Config } from '../config.ts';
import type { TravelDocument, TravelLeg } from './travel-document.ts';
import { describeCancellation, describeVia, formatTimeWithZone } from './travel-text.ts';

/** The alarm's lead before check-in closes. */
const ALARM_MINUTES_BEFORE_CHECK_IN_CLOSES = 60;

type CalendarInput = {
  config: Pick<Config, 'origins' | 'parentDomain'>;
  brandName: string;
  /** The page that the events link to; the order's page if absent. */
  url?: string | undefined;
};

/**
 * Builds the crossings as a calendar file, also the canceled ones, so that calendars that have them show it. The same order
 * gives the same bytes. After a change the events keep their UIDs and increase their SEQUENCE, so that calendars move them.
 */
export function buildCalendarFile(
  document: TravelDocument,
  { config, brandName, url }: CalendarInput,
): string {
  const calendar = new ICalCalendar({ prodId: { company: brandName, product: 'Gangway', language: 'EN' } });
  const isLeft = ({ leg }: TravelLeg) => document.legs.some((each) => each.leg === leg);
  const cancelled = listCancelled(document).filter((leg) => !isLeft(leg));
  const legs = [...document.legs, ...cancelled];
  calendar.timezone({ name: null, generator: (zone) => findZone({ legs }, zone) });
  for (const leg of legs) addCrossing(calendar, document, leg, { config, url });
  return `${calendar.toString()}\r\n`;
}

/**
 * Builds a calendar file that removes the crossings without tickets from the calendars they were added to; null if there
 * are none.
 */
export function buildCancellingCalendarFile(
  document: TravelDocument,
  { config, brandName, url }: CalendarInput,
): string | null {
  const legs = listCancelled(document);
  if (legs.length === 0) return null;
  const calendar = new ICalCalendar({
    prodId: { company: brandName, product: 'Gangway', language: 'EN' },
    method: ICalCalendarMethod.CANCEL,
  });
  calendar.timezone({ name: null, generator: (zone) => findZone({ legs }, zone) });
  for (const leg of legs) addCrossing(calendar, { ...document, tickets: [] }, leg, { config, url });
  return `${calendar.toString()}\r\n`;
}

function listCancelled({ cancelledLegs }: TravelDocument): TravelLeg[] {
  return cancelledLegs.map((leg) => ({ ...leg, isCancelled: true }));
}

function addCrossing(
  calendar: ICalCalendar,
  { order, tickets }: TravelDocument,
  leg: TravelLeg,
  {
    config,
    url = config.origins.tickets + fillPath(ticketPages.confirmation, { id: order.id }),
  }: Pick<CalendarInput, 'config' | 'url'>,
): void {
  const zone = leg.origin.timeZone;
  const secondsToDeparture = Math.round((leg.departsAt.getTime() - leg.checkInClosesAt.getTime()) / 1000);
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  const event = calendar.createEvent({
    id: `${order.reference}-${leg.leg}@${config.parentDomain}`,
    sequence: order.version + leg.sailingVersion,
    stamp: new Date(Math.max(order.updatedAt.getTime(), leg.sailingUpdatedAt.getTime())),
    start: inZone(leg.departsAt, zone),
    end: inZone(leg.arrivesAt, zone),
    timezone: zone,
    summary: `Ferry ${leg.origin.name} to ${leg.destination.name}`,
    description: [
      ...(leg.openTicket ? [describeCancellation(leg, order.locale)] : []),
      `Reference ${order.reference}`,
      `Check in by ${formatTimeWithZone(leg.checkInClosesAt, zone, order.locale)}`,
      `Arrives ${formatTimeWithZone(leg.arrivesAt, leg.destination.timeZone, order.locale)}`,
      `Boat ${[leg.vesselName, describeVia(leg)].filter(Boolean).join(', ')}`,
      ...(leg.delayMinutes > 0 ? [`Running about ${leg.delayMinutes} minutes late`] : []),
      ...own.map((ticket) => `${ticket.title}: boarding code ${ticket.boardingCode}`),
    ].join('\n'),
    location: [leg.origin.name, leg.origin.address].filter(Boolean).join(', '),
    url,
    status: leg.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  event.createAlarm({
    type: ICalAlarmType.display,
    trigger: secondsToDeparture + ALARM_MINUTES_BEFORE_CHECK_IN_CLOSES * 60,
    description: `Check-in closes in ${ALARM_MINUTES_BEFORE_CHECK_IN_CLOSES} minutes`,
  });
}

function findZone({ legs }: Pick<TravelDocument, 'legs'>, zone: string): string {
  const times = legs.flatMap((leg) => [leg.departsAt.getTime(), leg.arrivesAt.getTime()]);
  return describeTimeZone(zone, new Date(Math.min(...times)), new Date(Math.max(...times)));
}

function inZone(instant: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
}

/**
 * A zone as a VTIMEZONE (RFC 5545): every clock change from the last one before `from` to the first after `until`,
 * listed one by one, so that calendars need not know the zone's rules.
 */
export function describeTimeZone(zone: string, from: Date, until: Date): string {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  // A zone with summer time changes its clock at least once within a year.
  let at: Temporal.ZonedDateTime | null = start.subtract({ years: 1 });
  const changes = describeChange(at, at.offset);
  while (at && at.epochMilliseconds <= until.getTime()) {
    at = at.getTimeZoneTransition('next');
    if (at) changes.push(...describeChange(at, at.subtract({ nanoseconds: 1 }).offset));
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...changes, 'END:VTIMEZONE'].join('\r\n');
}

function describeChange(at: Temporal.ZonedDateTime, offsetBefore: string): string[] {
  const kind = isSummerTime(at) ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    // In local time before the change.
    `DTSTART:${compact(at.toInstant().toZonedDateTimeISO(offsetBefore).toPlainDateTime())}`,
    `TZOFFSETFROM:${offsetBefore.replaceAll(':', '')}`,
    `TZOFFSETTO:${at.offset.replaceAll(':', '')}`,
    `TZNAME:${getZoneLabel(at.epochMilliseconds, at.timeZoneId)}`,
    `END:${kind}`,
  ];
}

/** Whether the offset is the larger one of the year's two seasons. */
function isSummerTime(at: Temporal.ZonedDateTime): boolean {
  const seasons = [1, 7].map((month) => at.with({ month, day: 1 }).offsetNanoseconds);
  return at.offsetNanoseconds > Math.min(...seasons);
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
