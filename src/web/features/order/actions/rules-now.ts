import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { findRefundTerms, isBeforeDeadline, listRefundTiers } from '#domain/refunds/refund-tiers.ts';
import { describeDuration } from '#sentences/fare-policy.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { expectedDeparture } from '../expected-times.ts';

/*
 * The fare's rules at this moment, so that no button leads to a refusal. The server applies the same rules again. `now` in
 * milliseconds.
 */

/** Why no journey of an order can be changed; null if one can, or if a return can be added. */
export function explainNoChange(order: Order, now: number): string | null {
  if (order.paymentStatus === 'disputed') {
    return t('Your bank is deciding about the payment of this order, so it cannot be changed now.');
  }
  if (isByOperator(order)) return null;
  const { change } = order.farePolicy;
  if (!change.allowed) return t('Your fare allows no changes.');
  const ahead = listJourneysAhead(order, now);
  const canAddReturn =
    ahead.some(({ leg }) => getDirection(leg) === 'out') &&
    !order.legs.some(({ leg }) => getDirection(leg) === 'back');
  if (canAddReturn || ahead.some((start) => canChangeJourney(order, start, now))) return null;
  return change.untilMinutes <= 0
    ? t('No changes any more: the boat has departed.')
    : t('No changes any more: it is less than {duration} before departure.', {
        duration: describeDuration(t, change.untilMinutes),
      });
}

/** Whether the deadline for changes of a journey has not passed. `start` is its first boat. */
export function canChangeJourney(order: Order, start: Leg, now: number): boolean {
  if (isByOperator(order)) return true;
  const departsAt = Date.parse(start.departsAt);
  return isBeforeDeadline(order.farePolicy.change.untilMinutes, { departsAt, now });
}

/** Why no ticket of an order can be canceled; null if some can. */
export function explainNoCancellation(order: Order, now: number): string | null {
  if (order.paymentStatus === 'disputed') {
    return t('Your bank is deciding about the payment of this order, so we cannot refund it now.');
  }
  const reasons = listJourneysAhead(order, now).map((start) => explainNoRefund(order, start, now));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** Why tickets of a journey give nothing back; null if they do, or if nothing was paid. `start` is its first boat. */
export function explainNoRefund(order: Order, start: Leg, now: number): string | null {
  const hasChoice = isOpenUntil(order.choiceUntil, now);
  if (order.paid === 0 || isByOperator(order) || hasChoice) return null;
  const tiers = order.farePolicy.cancel.map(toTier);
  if (findRefundTerms(tiers, Date.parse(start.departsAt), now) !== null) return null;
  const latest = listRefundTiers(tiers).at(-1);
  if (!latest) return t('This fare gives no refund.');
  return latest.until_minutes_before <= 0
    ? t('No refund any more: the boat has departed.')
    : t('No refund any more: it is less than {duration} before departure.', {
        duration: describeDuration(t, latest.until_minutes_before),
      });
}

/** The first boats of the journeys that have unused tickets and have not departed. */
export function listJourneysAhead({ legs, tickets }: Order, now: number): Leg[] {
  return findJourneyStarts(legs).filter(
    (start) =>
      isAhead(start, now) && tickets.some(({ leg, status }) => leg === start.leg && status === 'issued'),
  );
}

/** Whether a boat has not departed as far as is known. A canceled one has not, even after its planned departure. */
export function isAhead(leg: Leg, now: number): boolean {
  return leg.status === 'canceled' || expectedDeparture(leg) >= now;
}

/** Whether a deadline of an order is ahead. */
export function isOpenUntil(end: string | null | undefined, now: number): end is string {
  return Date.parse(end ?? '') > now;
}

/** A canceled sailing, or too small a boat. */
function isByOperator({ needsAttention }: Order): boolean {
  return needsAttention === 'sailing_canceled' || needsAttention === 'no_room';
}

function toTier({
  untilMinutesBefore,
  refundBp,
  fee,
}: Order['farePolicy']['cancel'][number]): FarePolicy['cancel'][number] {
  return { until_minutes_before: untilMinutesBefore, refund_bp: refundBp, fee };
}
