import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay, formatTime, localDay, shiftLocalTime } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { JourneyOptions, Leg } from '#web/platform/api/types.ts';

type Journey = readonly Leg[];

/** "Your 10:30 AM sailing is canceled", "Your 10:30 AM sailing leaves at 12:10 PM" */
export function nameChoice({ booked, reason, status }: JourneyOptions): string {
  const late = booked.find(({ delayMinutes }) => delayMinutes > 0);
  const boat = reason === 'sailing_delayed' ? late : booked[0];
  const departs = boat && readCrossingTimes(boat).departs;
  const time = departs?.replaced ?? departs?.text ?? '';
  if (status === 'moved') return t('You can still choose another sailing');
  if (status === 'open_ticket') return t('You have an open ticket');
  if (reason === 'sailing_canceled') return t('Your {time} sailing is canceled', { time });
  if (reason === 'no_room') return t('Your {time} sailing may have no room for you', { time });
  return departs
    ? t('Your {time} sailing leaves at {newTime}', { time, newTime: departs.text })
    : t('You may miss your second boat');
}

/** "We keep places for you on the 12:00 PM sailing until 11:50 AM." */
export function describeProtection({
  protected: protectedJourney,
  status,
  booked,
  others,
}: JourneyOptions): string {
  if (status === 'moved') {
    return t(
      'You travel at {time} on {day}. You can take another sailing at no charge.',
      readDeparture(booked),
    );
  }
  if (status === 'open_ticket') {
    return t('Choose any sailing below that has enough room for you. You pay nothing more.');
  }
  if (protectedJourney) {
    const { journey, untilLocal } = protectedJourney;
    const until = describeTime(untilLocal, journey[0]);
    return t('We keep places for you on the sailing below until {until}. You pay nothing more.', {
      until,
    });
  }
  return t(
    others.length > 0
      ? 'We keep no places for you, but these sailings have enough room for you now. You pay nothing more.'
      : 'No other sailing has enough room for you right now. Look again later, or get your money back.',
  );
}

/** "Travel at 12:00 PM", with the day if it is not the booked one. */
export function nameTravel([first]: Journey, bookedDay: string): string {
  if (!first) return t('Travel');
  const { time, day } = findDeparture(first);
  return day === bookedDay
    ? t('Travel at {time}', { time })
    : t('Travel at {time}, {day}', { time, day: formatShortDay(day) });
}

/** What happens without an answer, and until when the buyer may choose. */
export function describeDeadline({ deadlineLocal, ifUnanswered, status, booked }: JourneyOptions): string {
  const until = describeTime(deadlineLocal, booked[0]);
  if (status === 'moved') return t('You can choose until {until}.', { until });
  if (status === 'open_ticket') {
    return t(
      'Your open ticket is valid until {until}. If you have not chosen a sailing by then, we refund it in full.',
      { until },
    );
  }
  return ifUnanswered === 'refund'
    ? t('If we do not hear from you by {until}, we cancel these tickets and refund them in full.', { until })
    : t('You can choose until {until}. If you do nothing, your tickets stay valid.', { until });
}

/** What an open ticket means, for buyers who may keep one. */
export function describeOpenTicket({
  openTicket,
  protected: protectedJourney,
  booked,
}: JourneyOptions): string {
  const until = describeTime(openTicket?.untilLocal ?? '', booked[0]);
  const choice = t('With an open ticket you choose a sailing later, until {until}, or get the full refund.', {
    until,
  });
  return protectedJourney ? `${choice} ${t('The places we keep for you go back on sale.')}` : choice;
}

/** After a choice: "You now travel at 12:00 PM on Fri, Jun 5." */
export function describeMove(journey: Journey): string {
  return t('You now travel at {time} on {day}. We emailed your new tickets.', readDeparture(journey));
}

/** As passengers read them: "12:00 PM", "Fri, Jun 5". */
function readDeparture([first]: Journey): { time: string; day: string } {
  if (!first) return { time: '', day: '' };
  const { time, day } = findDeparture(first);
  return { time, day: formatShortDay(day) };
}

/** When a boat is expected to leave: the time and the day, `YYYY-MM-DD`. */
export function findDeparture(leg: Leg): { time: string; day: string } {
  const { text, instant } = readCrossingTimes(leg).departs;
  return { time: text, day: localDay(shiftLocalTime(leg.departsLocal, instant - Date.parse(leg.departsAt))) };
}

/** "Fri, Jun 5, 11:50 AM PDT" */
export function describeTime(local: string, leg: Leg | undefined): string {
  return `${formatShortDay(localDay(local))}, ${formatTime(local, leg?.departsZoneLabel ?? '')}`;
}
