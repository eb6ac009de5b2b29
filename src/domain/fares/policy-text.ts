import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { formatInstant } from '../format/dates.ts';
import { formatMoney } from '../format/money.ts';
import { getDeadline, isBeforeDeadline, listRefundTiers, type RefundTier } from '../refunds/refund-tiers.ts';
import { getZoneLabel } from '../time/port-time.ts';
import { describeCount } from './party.ts';

/**
 * A departure that a fare's deadlines count from: milliseconds since 1970, and the port's zone. `refundsCountFrom`: of an
 * earlier boat, for refunds.
 */
export type PolicyDeparture = { departsAt: number; zone: string; refundsCountFrom?: number };

/** The departures of the outbound journey and of the return. */
export type PolicyDepartures = readonly [out: PolicyDeparture, back?: PolicyDeparture | undefined];

/** How sums and deadlines are written; `language`: the operator's or the order's. */
export type PolicyFormat = { currency: string; language: string };

/**
 * A fare's rules in sentences, most useful first. Deadlines are given in the port's time; one before `now`
 * (milliseconds since 1970) is described as passed, or left out while the return's has not.
 */
export function describePolicy(
  policy: FarePolicy,
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  return [
    ...describeTerms(policy, format, departures, now),
    noShow(policy),
    ...openTicketSentences(policy),
    ...(policy.refund_to === 'trip_card' && policy.cancel.length > 0
      ? ['With an account, you can have a refund on your trip card at once.']
      : []),
  ];
}

/** The part of a fare's rules that depends on the departures and on `now`: refund and change. */
export function describeTerms(
  policy: FarePolicy,
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  return [
    ...refundSentences(policy.cancel, format, forRefunds(departures), now),
    changeSentence(policy.change, format, departures, now),
  ];
}

function forRefunds([out, back]: PolicyDepartures): PolicyDepartures {
  const getDeparture = (departure: PolicyDeparture) => ({
    ...departure,
    departsAt: departure.refundsCountFrom ?? departure.departsAt,
  });
  return [getDeparture(out), back && getDeparture(back)];
}

function refundSentences(
  tiers: FarePolicy['cancel'],
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  const giving = listRefundTiers(tiers);
  const latest = giving.at(-1);
  if (!latest) return ['No refund.'];
  const sentences = giving.flatMap((tier) => {
    const until = describeDeadline(tier.until_minutes_before, format, departures, now);
    return until === null ? [] : [`${describeShare(tier, format)} ${until}.`];
  });
  if (sentences.length === 0)
    return [`No refund: ${explainTooLate(latest.until_minutes_before, departures, now)}.`];
  return latest.until_minutes_before > 0 ? [...sentences, 'No refund after that.'] : sentences;
}

/** "80% refund, less $5.00 per ticket,". */
function describeShare({ refund_bp, fee, fee_per: per }: RefundTier, format: PolicyFormat): string {
  const share = refund_bp === 10_000 ? 'Full refund' : `${percent(refund_bp)} refund`;
  if (fee <= 0) return share;
  return `${share}, less ${formatMoney(fee, format.currency, format.language)}${per === 'ticket' ? ' per ticket' : ''},`;
}

function changeSentence(
  change: FarePolicy['change'],
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string {
  if (!change.allowed) return 'No changes.';
  const until = describeDeadline(change.until_minutes, format, departures, now);
  if (until === null) return `No changes: ${explainTooLate(change.until_minutes, departures, now)}.`;
  return change.fee > 0
    ? `Change your sailing for ${formatMoney(change.fee, format.currency, format.language)} ${until}.`
    : `Free change ${until}.`;
}

function noShow({ no_show: rule }: FarePolicy): string {
  return rule === 'travel_next_same_day'
    ? 'If you miss the boat, take any later one that day, if there is room.'
    : 'If you miss the boat, your ticket is lost.';
}

function openTicketSentences({ open_ticket_days: days }: FarePolicy): string[] {
  if (days === undefined) return [];
  const time = describeCount(days, 'day');
  return [
    `If we cancel your sailing, you can keep an open ticket and choose another sailing within ${time}.`,
  ];
}

/** "until Sat, Jun 6, 3:20 PM PDT (return: Mon, Jun 8, 5:00 PM PDT)"; null if it has passed. */
function describeDeadline(
  minutesBefore: number,
  { language }: PolicyFormat,
  [out, back]: PolicyDepartures,
  now: number,
): string | null {
  const [first, second] = [out, back].map((departure) =>
    departure && isBeforeDeadline(minutesBefore, { departsAt: departure.departsAt, now })
      ? deadline(minutesBefore, departure, language)
      : null,
  );
  if (first && second) return first === second ? `until ${first}` : `until ${first} (return: ${second})`;
  if (second) return `for the return until ${second}`;
  return first ? `until ${first}` : null;
}

/** "departure" or "Sat, Jun 6, 3:20 PM PDT". */
function deadline(minutesBefore: number, { departsAt, zone }: PolicyDeparture, language: string): string {
  if (minutesBefore <= 0) return 'departure';
  const instant = getDeadline(minutesBefore, departsAt);
  return `${formatInstant('shortDayAndClock', instant, { language, zone })} ${getZoneLabel(instant, zone)}`;
}

/** Why a deadline has passed; after the last departure, that it has departed. */
function explainTooLate(minutesBefore: number, departures: PolicyDepartures, now: number): string {
  const isAhead = departures.some((departure) => departure && now <= departure.departsAt);
  return describeTooLate(isAhead ? minutesBefore : 0);
}

/** Why a deadline of a boat that is still to come has passed; 0 minutes: the boat has departed. */
export function describeTooLate(minutesBefore: number): string {
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
