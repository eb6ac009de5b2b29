import { describeLeg } from '#domain/orders/legs.ts';
import { TRIP_OUTCOMES, type TripOutcome } from '#domain/orders/trip-outcome.ts';
import { describeLateness } from '#domain/sailings/crossing-times.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import type { BadgeTone } from '#web/ui/feedback/badge.tsx';
import { formatShortDay, localDay } from '../site/local-time.ts';
import { departsOnDayOf, findNextLeg } from './trips.ts';

export type BadgeContent = { label: string; tone: BadgeTone };
/** `lastingLabel`: a label that also holds on another day, if `label` does not. */
type OrderBadgeContent = BadgeContent & { lastingLabel?: string };

/** `now` in milliseconds. */
export function getOrderBadge(
  order: Pick<Order, 'displayStatus' | 'tripOutcome' | 'legs'>,
  now: number,
): OrderBadgeContent {
  const status = orderStatusAt(order, now);
  return status === 'used' ? getPastTripBadge(order.tripOutcome ?? 'unknown') : ORDER_BADGES[status];
}

/** The status at `now`, in milliseconds: the order may have been loaded on another day. */
export function orderStatusAt(
  { displayStatus, legs }: Pick<Order, 'displayStatus' | 'legs'>,
  now: number,
): Order['displayStatus'] {
  if (displayStatus !== 'today' && displayStatus !== 'upcoming') return displayStatus;
  const next = findNextLeg(legs, now);
  if (next === null) return 'used';
  return departsOnDayOf(next, now) ? 'today' : 'upcoming';
}

/** Of an order or a ticket whose crossings are over. */
export function getPastTripBadge(outcome: TripOutcome): BadgeContent {
  return { label: TRIP_OUTCOMES[outcome], tone: 'neutral' };
}

const ORDER_BADGES: Record<Exclude<Order['displayStatus'], 'used'>, OrderBadgeContent> = {
  paying: { label: 'Waiting for payment', tone: 'warning' },
  upcoming: { label: 'Upcoming', tone: 'info' },
  today: { label: 'Today', tone: 'accent', lastingLabel: 'Upcoming' },
  boarded: { label: 'Boarded', tone: 'success' },
  changed: { label: 'Changed', tone: 'warning' },
  canceled: { label: 'Canceled', tone: 'danger' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  action_needed: { label: 'Needs your attention', tone: 'danger' },
  expired: { label: 'Not completed', tone: 'neutral' },
};

type LegState = Pick<Leg, 'status' | 'delayMinutes'> & Partial<Pick<Leg, 'openTicketUntilLocal'>>;

/** Null if the crossing goes as planned. */
export function findLegBadge({ status, delayMinutes, openTicketUntilLocal }: LegState): BadgeContent | null {
  if (openTicketUntilLocal) {
    return { label: `Open ticket until ${formatShortDay(localDay(openTicketUntilLocal))}`, tone: 'info' };
  }
  if (status === 'canceled') return { label: 'Sailing canceled', tone: 'danger' };
  if (status === 'suspended') return { label: 'Sailing on hold', tone: 'warning' };
  if (status === 'departed') return { label: 'Departed', tone: 'neutral' };
  if (status === 'arrived') return { label: 'Arrived', tone: 'neutral' };
  if (delayMinutes > 0) return { label: describeLateness(delayMinutes), tone: 'warning' };
  if (status === 'check_in_closed') return { label: 'Check-in closed', tone: 'warning' };
  if (status === 'check_in_open') return { label: 'Check-in open', tone: 'success' };
  return null;
}

/** "Outbound", "Return, second boat"; undefined for an order's only boat. */
export function nameLeg({ leg }: Pick<Leg, 'leg'>, legs: readonly Pick<Leg, 'leg'>[]): string | undefined {
  const names = legs.map((each) => each.leg);
  return describeLeg(leg, names) ?? undefined;
}

/**
 * `unpaid` waits for the customer, `processing` for the bank; `no-room` was refunded, `over` was never paid. An order
 * that has or had tickets is `booked`.
 */
export type OrderStage = 'unpaid' | 'processing' | 'booked' | 'no-room' | 'over';

export function orderStage(order: Order): OrderStage {
  switch (order.status) {
    case 'held':
    case 'awaiting_payment':
      return order.paymentStatus === 'processing' || order.paymentStatus === 'paid' ? 'processing' : 'unpaid';
    case 'expired':
    case 'canceled':
      if (order.confirmedAt !== null) return 'booked';
      return order.paid > 0 || order.refunds.length > 0 ? 'no-room' : 'over';
    default:
      return 'booked';
  }
}

/** The sum of the refunds made or under way. `isStuck`: a refund failed and no other is under way. */
export function moneyBack({ refunds }: Pick<Order, 'refunds'>): { amount: number; isStuck: boolean } {
  const underWay = refunds.filter(({ status }) => status !== 'failed');
  return {
    amount: underWay.reduce((sum, { amount }) => sum + amount, 0),
    isStuck: underWay.length < refunds.length && underWay.every(({ status }) => status === 'succeeded'),
  };
}
