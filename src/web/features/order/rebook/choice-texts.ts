import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay, formatTime, localDay, shiftLocalTime } from '#web/features/site/local-time.ts';
import type { JourneyOptions, Leg } from '#web/platform/api/types.ts';

type Journey = readonly Leg[];

/** "Your 10:30 AM sailing is canceled", "Your 10:30 AM sailing leaves at 12:10 PM" */
export function nameChoice({ booked, reason, status }: JourneyOptions): string {
  const late = booked.find(({ delayMinutes }) => delayMinutes > 0);
  const boat = reason === 'sailing_delayed' ? late : booked[0];
  const departs = boat && readCrossingTimes(boat).departs;
  const sailing = `Your ${departs?.replaced ?? departs?.text ?? ''} sailing`;
  if (status === 'moved') return 'You can still choose another sailing';
  if (status === 'open_ticket') return 'You have an open ticket';
  if (reason === 'sailing_canceled') return `${sailing} is canceled`;
  if (reason === 'no_room') return `${sailing} may have no room for you`;
  return departs ? `${sailing} leaves at ${departs.text}` : 'You may miss your second boat';
}

/** "We keep places for all of you on the 12:00 PM sailing until 11:50 AM." */
export function describeProtection({
  protected: protectedJourney,
  status,
  booked,
  others,
}: JourneyOptions): string {
  if (status === 'moved') {
    return `You travel ${describeDeparture(booked)}. You can take another sailing at no charge.`;
  }
  if (status === 'open_ticket') {
    return 'Choose any sailing below that has room for all of you. You pay nothing more.';
  }
  if (protectedJourney) {
    const { journey, untilLocal } = protectedJourney;
    const until = describeTime(untilLocal, journey[0]);
    return `We keep places for all of you on the sailing below until ${until}. You pay nothing more.`;
  }
  return others.length > 0
    ? 'We keep no places for you, but these sailings have room for all of you now. You pay nothing more.'
    : 'No other sailing has room for all of you right now. Look again later, or get your money back.';
}

/** "Travel at 12:00 PM", with the day if it is not the booked one. */
export function nameTravel([first]: Journey, bookedDay: string): string {
  if (!first) return 'Travel';
  const { time, day } = findDeparture(first);
  const at = `Travel at ${time}`;
  return day === bookedDay ? at : `${at}, ${formatShortDay(day)}`;
}

/** What happens without an answer, and until when the buyer may choose. */
export function describeDeadline({ deadlineLocal, ifUnanswered, status, booked }: JourneyOptions): string {
  const until = describeTime(deadlineLocal, booked[0]);
  if (status === 'moved') return `You can choose until ${until}.`;
  if (status === 'open_ticket') {
    return `Your open ticket is valid until ${until}. If you have not chosen a sailing by then, we refund it in full.`;
  }
  return ifUnanswered === 'refund'
    ? `If we do not hear from you by ${until}, we cancel these tickets and refund them in full.`
    : `You can choose until ${until}. If you do nothing, your tickets stay valid.`;
}

/** What an open ticket means, for buyers who may keep one. */
export function describeOpenTicket({
  openTicket,
  protected: protectedJourney,
  booked,
}: JourneyOptions): string {
  const until = describeTime(openTicket?.untilLocal ?? '', booked[0]);
  const release = protectedJourney ? ' The places we keep for you go back on sale.' : '';
  return `With an open ticket you choose a sailing later, until ${until}, or get the full refund.${release}`;
}

/** "at 12:00 PM on Fri, Jun 5" */
export function describeDeparture([first]: Journey): string {
  if (!first) return '';
  const { time, day } = findDeparture(first);
  return `at ${time} on ${formatShortDay(day)}`;
}

/** When a boat is expected to leave: the time and the day, `YYYY-MM-DD`. */
export function findDeparture(leg: Leg): { time: string; day: string } {
  const { text, instant } = readCrossingTimes(leg).departs;
  return { time: text, day: localDay(shiftLocalTime(leg.departsLocal, instant - Date.parse(leg.departsAt))) };
}

/** "Fri, Jun 5, 11:50 AM PDT" */
function describeTime(local: string, leg: Leg | undefined): string {
  return `${formatShortDay(localDay(local))}, ${formatTime(local, leg?.departsZoneLabel ?? '').trim()}`;
}
