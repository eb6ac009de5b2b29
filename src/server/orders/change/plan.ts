import { describeTooLate } from '#domain/fares/policy-text.ts';
import { type Direction, findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { findRefundTerms, isBeforeDeadline } from '#domain/refunds/refund-tiers.ts';
import { findTermsDeparture } from '#domain/refunds/terms-departure.ts';
import { ApiError } from '#server/http/api-error.ts';
import { isOperatorsFault } from '../crossings/needs-attention.ts';
import { listTicketsOfJourneys } from '../crossings/replace-journeys.ts';
import type { OrderRecord, StoredOrder } from '../queries.ts';

/** An order with its sailings. */
export type ChangeableOrder = StoredOrder & Pick<OrderRecord, 'legs'>;

/**
 * Requires that journeys of an order may be changed now, on the rules at the time of purchase.
 * @returns the fee for the whole change; none if journeys are only added, or if the operator is the cause
 * @throws {ApiError} change_not_allowed, check_in_closed
 */
export function requireChangeable(
  sold: ChangeableOrder,
  { journeys, now }: { journeys: readonly Direction[]; now: Date },
): number {
  requireOpen(sold);
  const isByOperator = isOperatorsFault(sold.order);
  const { change } = sold.order.farePolicy;
  if (!change.allowed && !isByOperator) {
    throw changeNotAllowed(`Your fare allows no changes. ${describeInstead(sold, { journeys, now })}`);
  }
  const replaced = journeys.filter((direction) => listTicketsOfJourneys(sold, [direction]).length > 0);
  for (const direction of replaced) requireAhead(sold, { direction, isByOperator, now });
  return replaced.length > 0 && !isByOperator ? change.fee : 0;
}

export function changeNotAllowed(message: string): ApiError {
  return new ApiError('change_not_allowed', { message });
}

function requireOpen({ order: { status, paymentStatus } }: StoredOrder): void {
  if (status === 'canceled') throw changeNotAllowed('This order is canceled already.');
  if (status !== 'confirmed' && status !== 'partly_canceled') throw new ApiError('change_not_allowed');
  if (paymentStatus !== 'disputed') return;
  throw changeNotAllowed(
    'Your bank is deciding about this payment, so the order cannot be changed now. Your tickets stay valid.',
  );
}

/** Deadlines count from the first boat of a journey. */
function requireAhead(
  sold: ChangeableOrder,
  { direction, isByOperator, now }: { direction: Direction; isByOperator: boolean; now: Date },
): void {
  const used = listTicketsOfJourneys(sold, [direction]).find(({ status }) => status !== 'issued');
  if (used) {
    const who = findTravelerName(sold.order.travelerNames, used) ?? used.title;
    throw new ApiError('check_in_closed', {
      message: `${who} is checked in already, so this trip cannot be changed here. Ask at the ticket booth.`,
    });
  }
  const sailing = findJourneyStarts(sold.legs).find(({ leg }) => getDirection(leg) === direction)?.sailing;
  if (!sailing || (isByOperator && sailing.status === 'canceled')) return;
  if (now > sailing.departsAt) {
    throw new ApiError('check_in_closed', {
      message: 'This boat has departed. Choose only trips that are still to come.',
    });
  }
  const { until_minutes: minutes } = sold.order.farePolicy.change;
  if (
    isByOperator ||
    isBeforeDeadline(minutes, { departsAt: sailing.departsAt.getTime(), now: now.getTime() })
  )
    return;
  const instead = describeInstead(sold, { journeys: [direction], now });
  throw changeNotAllowed(`This trip cannot be changed any more: ${describeTooLate(minutes)}. ${instead}`);
}

/** What a customer can do with tickets that cannot be changed. */
function describeInstead(
  sold: ChangeableOrder,
  { journeys, now }: { journeys: readonly Direction[]; now: Date },
): string {
  const { cancel } = sold.order.farePolicy;
  const isRefundable = listTicketsOfJourneys(sold, journeys).some((ticket) => {
    const departsAt = findTermsDeparture(sold.legs, ticket);
    return departsAt !== null && findRefundTerms(cancel, departsAt, now.getTime()) !== null;
  });
  return isRefundable ? 'You can still cancel tickets for a refund.' : 'Your tickets stay valid.';
}
