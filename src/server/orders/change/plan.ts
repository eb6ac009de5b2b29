import { type Direction, findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { findRefundTerms, isBeforeDeadline } from '#domain/refunds/refund-tiers.ts';
import { findTermsDeparture } from '#domain/refunds/terms-departure.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import type { Remedy } from '#sentences/errors/error-reasons.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { isOperatorsFault } from '../crossings/needs-attention.ts';
import { listTicketsOfJourneys } from '../crossings/replace-journeys.ts';
import type { OrderRecord, StoredOrder } from '../queries.ts';

/** An order with its sailings. */
export type ChangeableOrder = StoredOrder & Pick<OrderRecord, 'legs'>;

/**
 * Requires that journeys of an order may be changed now, on the rules at the time of purchase.
 * @param input isFree: beyond these rules, without a fee
 * @returns the fee for the whole change; none if journeys are only added, or if the operator is the cause
 * @throws {ApiError} change_not_allowed, check_in_closed
 */
export function requireChangeable(
  sold: ChangeableOrder,
  { journeys, now, isFree }: { journeys: readonly Direction[]; now: Date; isFree: boolean },
): number {
  requireOpen(sold);
  const isBound = !isFree && !isOperatorsFault(sold.order);
  const { change } = sold.order.farePolicy;
  if (!change.allowed && isBound) {
    const remedy = findRemedy(sold, { journeys, now });
    throw new ApiError('change_not_allowed', { reason: 'fare_not_changeable', params: { remedy } });
  }
  const replaced = journeys.filter((direction) => listTicketsOfJourneys(sold, [direction]).length > 0);
  for (const direction of replaced) requireAhead(sold, { direction, isBound, now });
  return replaced.length > 0 && isBound ? change.fee : 0;
}

function requireOpen({ order }: StoredOrder): void {
  const { status } = order;
  if (status === 'canceled') throw new ApiError('change_not_allowed', { reason: 'order_canceled' });
  if (status !== 'confirmed' && status !== 'partly_canceled') throw new ApiError('change_not_allowed');
  requireUndisputed(order);
}

/** @throws {ApiError} change_not_allowed while a bank decides about the payment of an order */
export function requireUndisputed({ paymentStatus }: Pick<OrderRow, 'paymentStatus'>): void {
  if (paymentStatus !== 'disputed') return;
  throw new ApiError('change_not_allowed', { reason: 'change_disputed' });
}

/** Deadlines count from when the first boat of a journey departs by the timetable. `isBound`: they count at all. */
function requireAhead(
  sold: ChangeableOrder,
  { direction, isBound, now }: { direction: Direction; isBound: boolean; now: Date },
): void {
  const used = listTicketsOfJourneys(sold, [direction]).find(({ status }) => status !== 'issued');
  if (used) {
    const { lines, order } = sold;
    const name = findTravelerName(order.travelerNames, used);
    throw new ApiError('check_in_closed', {
      reason: 'trip_checked_in',
      params: (t) => ({
        ticket_id: used.id,
        who: name ?? titleTicket(t, used, { lines, plate: order.plate }),
      }),
    });
  }
  const sailing = findJourneyStarts(sold.legs).find(({ leg }) => getDirection(leg) === direction)?.sailing;
  if (!sailing || (!isBound && sailing.status === 'canceled')) return;
  if (now.getTime() > getExpectedTimes(sailing).departsAt || sailing.departedAt !== null) {
    throw new ApiError('check_in_closed', { reason: 'boat_departed' });
  }
  const { until_minutes: minutes } = sold.order.farePolicy.change;
  if (!isBound || isBeforeDeadline(minutes, { departsAt: sailing.departsAt.getTime(), now: now.getTime() }))
    return;
  const remedy = findRemedy(sold, { journeys: [direction], now });
  throw new ApiError('change_not_allowed', {
    reason: 'change_too_late',
    params: { until_minutes: minutes, remedy },
  });
}

/** What a customer can do with tickets that cannot be changed. */
function findRemedy(
  sold: ChangeableOrder,
  { journeys, now }: { journeys: readonly Direction[]; now: Date },
): Remedy {
  const { cancel } = sold.order.farePolicy;
  const isRefundable = listTicketsOfJourneys(sold, journeys).some((ticket) => {
    const departsAt = findTermsDeparture(sold.legs, ticket);
    return departsAt !== null && findRefundTerms(cancel, departsAt, now.getTime()) !== null;
  });
  return isRefundable ? 'cancel' : 'travel';
}
