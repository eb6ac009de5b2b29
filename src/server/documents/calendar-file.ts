import { ICalAlarmType, ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { writeShownTime } from '#sentences/crossing-times.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Config } from '../config.ts';
import type { TravelDocument, TravelLeg } from './travel-document.ts';
import { describeCancellation, describeTimes, describeVia, formatTimeWithZone } from './travel-text.ts';

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
  const canceled = listCanceled(document).filter((leg) => !isLeft(leg));
  const legs = [...document.legs, ...canceled];
  for (const leg of legs) addCrossing(calendar, document, leg, { config, url });
  return `${calendar.toString()}\r\n`;
}

/**
 * Builds a calendar file that removes the crossings without tickets from the calendars they were added to; null if there
 * are none.
 */
export function buildCancelingCalendarFile(
  document: TravelDocument,
  { config, brandName, url }: CalendarInput,
): string | null {
  const legs = listCanceled(document);
  if (legs.length === 0) return null;
  const calendar = new ICalCalendar({
    prodId: { company: brandName, product: 'Gangway', language: 'EN' },
    method: ICalCalendarMethod.CANCEL,
  });
  for (const leg of legs) addCrossing(calendar, { ...document, tickets: [] }, leg, { config, url });
  return `${calendar.toString()}\r\n`;
}

function listCanceled({ canceledLegs }: TravelDocument): TravelLeg[] {
  return canceledLegs.map((leg) => ({ ...leg, isCanceled: true }));
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
  const t = textsIn(order.locale);
  const zone = leg.origin.timeZone;
  const ports = { origin: leg.origin.name, destination: leg.destination.name };
  const { departs, arrives, lateness } = describeTimes(leg, order.locale);
  const secondsToDeparture = Math.round((departs.instant - leg.checkInClosesAt.getTime()) / 1000);
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  const event = calendar.createEvent({
    id: `${order.reference}-${leg.leg}@${config.parentDomain}`,
    sequence: order.version + leg.sailingVersion,
    stamp: new Date(Math.max(order.updatedAt.getTime(), leg.sailingUpdatedAt.getTime())),
    // In UTC: a local time in the hour that autumn repeats would mean its first occurrence.
    start: new Date(departs.instant),
    end: new Date(arrives.instant),
    summary: [t('Ferry {origin} to {destination}', ports), lateness].filter(Boolean).join(', '),
    description: [
      ...(leg.openTicket ? [describeCancellation(leg, order.locale)] : []),
      t('Reference {reference}', order),
      t('Check in by {time}', { time: formatTimeWithZone(leg.checkInClosesAt, zone, order.locale) }),
      t('Departs {time}', { time: writeShownTime(t, departs) }),
      t('Arrives {time}', { time: writeShownTime(t, arrives) }),
      t('Boat {name}', { name: [leg.vesselName, describeVia(leg, order.locale)].filter(Boolean).join(', ') }),
      ...own.map(({ title, boardingCode }) =>
        t('{title}: boarding code {code}', { title, code: boardingCode }),
      ),
    ].join('\n'),
    location: [leg.origin.name, leg.origin.address].filter(Boolean).join(', '),
    url,
    status: leg.isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  event.createAlarm({
    type: ICalAlarmType.display,
    trigger: secondsToDeparture + ALARM_MINUTES_BEFORE_CHECK_IN_CLOSES * 60,
    description: t('Check-in closes in {minutes, plural, one {# minute} other {# minutes}}', {
      minutes: ALARM_MINUTES_BEFORE_CHECK_IN_CLOSES,
    }),
  });
}
