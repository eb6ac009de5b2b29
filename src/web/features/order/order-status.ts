import type { TripOutcome } from '#domain/orders/trip-outcome.ts';
import { type Message, message } from '#messages/translate.ts';
import { describeLateness } from '#sentences/crossing-times.ts';
import { describeLeg } from '#sentences/legs.ts';
import { TRIP_OUTCOMES } from '#sentences/trip-outcomes.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import type { BadgeTone } from '#web/ui/feedback/badge.tsx';
import { formatShortDay, localDay } from '../site/local-time.ts';
import { departsOnDayOf, findNextLeg } from './trips.ts';

/** Names the section with the passenger's choice in the address of an order, so that lists link to it. */
export const ATTENTION = 'attention';

export type BadgeContent = { label: string; tone: BadgeTone };
/** `lastingLabel`: a label that also holds on another day, if `label` does not. */
type OrderBadgeContent = BadgeContent & { lastingLabel?: string };

/** `now` in milliseconds. */
export function getOrderBadge(
  order: Pick<Order, 'displayStatus' | 'tripOutcome' | 'legs'>,
  now: number,
): OrderBadgeContent {
  const status = orderStatusAt(order, now);
  if (status === 'used') return getPastTripBadge(order.tripOutcome ?? 'unknown');
  const { label, lastingLabel, tone } = ORDER_BADGES[status];
  return { label: t(label), tone, ...(lastingLabel && { lastingLabel: t(lastingLabel) }) };
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
  return { label: t(TRIP_OUTCOMES[outcome]), tone: 'neutral' };
}

type OrderBadge = { label: Message; tone: BadgeTone; lastingLabel?: Message };

const ORDER_BADGES: Record<Exclude<Order['displayStatus'], 'used'>, OrderBadge> = {
  paying: { label: message('Waiting for payment'), tone: 'warning' },
  // Translators: also the list of such orders.
  upcoming: { label: message('Upcoming'), tone: 'info' },
  today: { label: message('Today'), tone: 'accent', lastingLabel: message('Upcoming') },
  boarded: { label: message('Boarded|an order'), tone: 'success' },
  changed: { label: message('Changed'), tone: 'warning' },
  canceled: { label: message('Canceled|an order'), tone: 'danger' },
  refunded: { label: message('Refunded'), tone: 'neutral' },
  action_needed: { label: message('Needs your attention'), tone: 'danger' },
  expired: { label: message('Not completed'), tone: 'neutral' },
};

type LegState = Pick<Leg, 'status' | 'delayMinutes'> & Partial<Pick<Leg, 'openTicketUntilLocal'>>;

/** Null if the crossing goes as planned. */
export function findLegBadge({ status, delayMinutes, openTicketUntilLocal }: LegState): BadgeContent | null {
  if (openTicketUntilLocal) {
    const day = formatShortDay(localDay(openTicketUntilLocal));
    return { label: t('Open ticket until {day}', { day }), tone: 'info' };
  }
  if (status === 'canceled') return { label: t('Sailing canceled'), tone: 'danger' };
  if (status === 'suspended') return { label: t('Sailing on hold'), tone: 'warning' };
  if (status === 'departed') return { label: t('Departed'), tone: 'neutral' };
  if (status === 'arrived') return { label: t('Arrived'), tone: 'neutral' };
  if (delayMinutes > 0) return { label: describeLateness(t, delayMinutes), tone: 'warning' };
  if (status === 'check_in_closed') return { label: t('Check-in closed'), tone: 'warning' };
  if (status === 'check_in_open') return { label: t('Check-in open'), tone: 'success' };
  return null;
}

/** "Outbound", "Return, second boat"; undefined for an order's only boat. */
export function nameLeg({ leg }: Pick<Leg, 'leg'>, legs: readonly Pick<Leg, 'leg'>[]): string | undefined {
  const names = legs.map((each) => each.leg);
  return describeLeg(t, leg, names) ?? undefined;
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
