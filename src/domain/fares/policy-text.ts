import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { getZoneLabel } from '../time/port-time.ts';
import { formatMoney } from './money.ts';
import { describeCount } from './party.ts';

/** The departure that a fare's deadlines count from: milliseconds since 1970, and the port's zone. */
export type PolicyDeparture = { departsAt: number; zone: string };

/**
 * A fare's rules in sentences, most useful first. Deadlines are given in the port's time; one before `now`
 * (milliseconds since 1970) is described as passed.
 */
export function describePolicy(
  policy: FarePolicy,
  currency: string,
  departure: PolicyDeparture,
  now: number,
): string[] {
  return [
    ...refundSentences(policy.cancel, currency, departure, now),
    changeSentence(policy.change, currency, departure, now),
    noShow(policy),
  ];
}

function refundSentences(
  tiers: FarePolicy['cancel'],
  currency: string,
  departure: PolicyDeparture,
  now: number,
): string[] {
  const giving = tiers
    .filter((tier) => tier.refund_bp > 0)
    .toSorted((a, b) => b.until_minutes_before - a.until_minutes_before);
  const latest = giving.at(-1);
  if (!latest) return ['No refund.'];
  const open = giving.filter((tier) => now <= getDeadline(tier.until_minutes_before, departure));
  if (open.length === 0) return [`No refund: ${tooLate(latest.until_minutes_before)}.`];
  const sentences = open.map((tier) => {
    const share = tier.refund_bp === 10_000 ? 'Full refund' : `${percent(tier.refund_bp)} refund`;
    const fee = tier.fee > 0 ? `, less ${formatMoney(tier.fee, currency)},` : '';
    return `${share}${fee} until ${deadline(tier.until_minutes_before, departure)}.`;
  });
  return latest.until_minutes_before > 0 ? [...sentences, 'No refund after that.'] : sentences;
}

function changeSentence(
  change: FarePolicy['change'],
  currency: string,
  departure: PolicyDeparture,
  now: number,
): string {
  if (!change.allowed) return 'No changes.';
  if (now > getDeadline(change.until_minutes, departure)) {
    return `No changes: ${tooLate(change.until_minutes)}.`;
  }
  const until = deadline(change.until_minutes, departure);
  return change.fee > 0
    ? `Change your sailing for ${formatMoney(change.fee, currency)} until ${until}.`
    : `Free change until ${until}.`;
}

function noShow({ no_show: rule }: FarePolicy): string {
  return rule === 'travel_next_same_day'
    ? 'If you miss the boat, take any later one that day, if there is room.'
    : 'If you miss the boat, your ticket is lost.';
}

/** Milliseconds since 1970. */
function getDeadline(minutesBefore: number, { departsAt }: PolicyDeparture): number {
  return departsAt - Math.max(0, minutesBefore) * 60_000;
}

/** "departure" or "Sat, Jun 6, 3:20 PM PDT". */
function deadline(minutesBefore: number, departure: PolicyDeparture): string {
  if (minutesBefore <= 0) return 'departure';
  const instant = getDeadline(minutesBefore, departure);
  return `${shortDateTime(instant, departure.zone)} ${getZoneLabel(instant, departure.zone)}`;
}

/** Cached per zone, because creating a formatter costs more than a hundred uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function shortDateTime(instant: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    });
  formats.set(timeZone, format);
  return format.format(instant).replace(/\u202f/g, ' ');
}

/** Why a deadline has passed, in words that stay true. */
function tooLate(minutesBefore: number): string {
  return minutesBefore <= 0
    ? 'the boat has departed'
    : `it is less than ${duration(minutesBefore)} before departure`;
}

function percent(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** In whole days from two days up. */
function duration(minutes: number): string {
  if (minutes >= 2880 && minutes % 1440 === 0) return describeCount(minutes / 1440, 'day');
  if (minutes % 60 === 0) return describeCount(minutes / 60, 'hour');
  if (minutes < 60) return describeCount(minutes, 'minute');
  return `${describeCount(Math.floor(minutes / 60), 'hour')} ${describeCount(minutes % 60, 'minute')}`;
}
