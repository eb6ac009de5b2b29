import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import {
  getDeadline,
  isBeforeDeadline,
  listRefundTiers,
  type RefundTier,
} from '#domain/refunds/refund-tiers.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import { getNumberFormat } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';

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
  t: Translate,
  policy: FarePolicy,
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  return [
    ...describeTerms(t, policy, format, departures, now),
    describeNoShow(t, policy),
    ...describeOpenTickets(t, policy),
    ...(policy.refund_to === 'trip_card' && policy.cancel.length > 0
      ? [t('With an account, you can have a refund on your trip card at once.')]
      : []),
  ];
}

/** The part of a fare's rules that depends on the departures and on `now`: refund and change. */
export function describeTerms(
  t: Translate,
  policy: FarePolicy,
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  return [
    ...describeRefunds(t, policy.cancel, format, forRefunds(departures), now),
    describeChange(t, policy.change, format, departures, now),
  ];
}

function forRefunds([out, back]: PolicyDepartures): PolicyDepartures {
  const getDeparture = (departure: PolicyDeparture) => ({
    ...departure,
    departsAt: departure.refundsCountFrom ?? departure.departsAt,
  });
  return [getDeparture(out), back && getDeparture(back)];
}

function describeRefunds(
  t: Translate,
  tiers: FarePolicy['cancel'],
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string[] {
  const giving = listRefundTiers(tiers);
  const latest = giving.at(-1);
  if (!latest) return [t('No refund.')];
  const sentences = giving.flatMap((tier) => {
    const deadline = describeDeadline(t, tier.until_minutes_before, format, departures, now);
    return deadline === null ? [] : [describeRefund(t, tier, format, deadline)];
  });
  if (sentences.length === 0) {
    const minutes = isAllDeparted(departures, now) ? 0 : latest.until_minutes_before;
    return [
      minutes <= 0
        ? t('No refund: the boat has departed.')
        : t('No refund: it is less than {duration} before departure.', {
            duration: describeDuration(t, minutes),
          }),
    ];
  }
  return latest.until_minutes_before > 0 ? [...sentences, t('No refund after that.')] : sentences;
}

/** "80% refund, less $5.00 per ticket, until departure." */
function describeRefund(
  t: Translate,
  { refund_bp: basisPoints, fee: feeAmount, fee_per: per }: RefundTier,
  { currency, language }: PolicyFormat,
  deadline: string,
): string {
  const fee = formatMoney(feeAmount, currency, language);
  if (basisPoints === 10_000) {
    if (feeAmount <= 0) return t('Full refund {deadline}.', { deadline });
    return per === 'ticket'
      ? t('Full refund, less {fee} per ticket, {deadline}.', { fee, deadline })
      : t('Full refund, less {fee}, {deadline}.', { fee, deadline });
  }
  const format = getNumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const percent = format.format(basisPoints / 10_000);
  if (feeAmount <= 0) return t('{percent} refund {deadline}.', { percent, deadline });
  return per === 'ticket'
    ? t('{percent} refund, less {fee} per ticket, {deadline}.', { percent, fee, deadline })
    : t('{percent} refund, less {fee}, {deadline}.', { percent, fee, deadline });
}

function describeChange(
  t: Translate,
  change: FarePolicy['change'],
  format: PolicyFormat,
  departures: PolicyDepartures,
  now: number,
): string {
  if (!change.allowed) return t('No changes.');
  const deadline = describeDeadline(t, change.until_minutes, format, departures, now);
  if (deadline === null) {
    const minutes = isAllDeparted(departures, now) ? 0 : change.until_minutes;
    return minutes <= 0
      ? t('No changes: the boat has departed.')
      : t('No changes: it is less than {duration} before departure.', {
          duration: describeDuration(t, minutes),
        });
  }
  if (change.fee <= 0) return t('Free change {deadline}.', { deadline });
  const fee = formatMoney(change.fee, format.currency, format.language);
  return t('Change your sailing for {fee} {deadline}.', { fee, deadline });
}

function describeNoShow(t: Translate, { no_show: rule }: FarePolicy): string {
  return rule === 'travel_next_same_day'
    ? t('If you miss the boat, take any later one that day, if there is room.')
    : t('If you miss the boat, your ticket is lost.');
}

function describeOpenTickets(t: Translate, { open_ticket_days: days }: FarePolicy): string[] {
  if (days === undefined) return [];
  return [
    t(
      'If we cancel your sailing, you can keep an open ticket and choose another sailing within {days, plural, one {# day} other {# days}}.',
      { days },
    ),
  ];
}

/** "until Sat, Jun 6, 3:20 PM PDT (return: Mon, Jun 8, 5:00 PM PDT)"; null if it has passed. */
function describeDeadline(
  t: Translate,
  minutesBefore: number,
  { language }: PolicyFormat,
  [out, back]: PolicyDepartures,
  now: number,
): string | null {
  const [isOutOpen, isReturnOpen] = [out, back].map(
    (departure) => departure && isBeforeDeadline(minutesBefore, { departsAt: departure.departsAt, now }),
  );
  if (!isOutOpen && !isReturnOpen) return null;
  if (minutesBefore <= 0) {
    // Translators: the end of a sentence such as "Full refund until departure."
    return isOutOpen ? t('until departure') : t('for the return until departure');
  }
  const [time, returnTime] = [out, back].map(
    (departure) => departure && formatDeadline(minutesBefore, departure, language),
  );
  // Translators: the end of a sentence such as "Full refund until Sat, Jun 6, 3:20 PM PDT."
  if (!isOutOpen) return t('for the return until {time}', { time: returnTime ?? '' });
  if (!isReturnOpen || time === returnTime) return t('until {time}', { time: time ?? '' });
  return t('until {time} (return: {returnTime})', { time: time ?? '', returnTime: returnTime ?? '' });
}

/** "Sat, Jun 6, 3:20 PM PDT" */
function formatDeadline(
  minutesBefore: number,
  { departsAt, zone }: PolicyDeparture,
  language: string,
): string {
  const instant = getDeadline(minutesBefore, departsAt);
  return `${formatInstant('shortDayAndClock', instant, { language, zone })} ${getZoneLabel(instant, zone)}`;
}

function isAllDeparted(departures: PolicyDepartures, now: number): boolean {
  return !departures.some((departure) => departure && now <= departure.departsAt);
}

/** "2 days", "3 hours", "1 hour 30 minutes": in whole days from two days up. */
export function describeDuration(t: Translate, minutes: number): string {
  if (minutes >= 2880 && minutes % 1440 === 0) {
    return t('{days, plural, one {# day} other {# days}}', { days: minutes / 1440 });
  }
  if (minutes % 60 === 0) {
    return t('{hours, plural, one {# hour} other {# hours}}', { hours: minutes / 60 });
  }
  if (minutes < 60) return t('{minutes, plural, one {# minute} other {# minutes}}', { minutes });
  return t(
    '{hours, plural, one {# hour} other {# hours}} {minutes, plural, one {# minute} other {# minutes}}',
    { hours: Math.floor(minutes / 60), minutes: minutes % 60 },
  );
}
