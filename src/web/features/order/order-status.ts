import type { Leg, Order, Ticket } from '#web/platform/api/types.ts';
import { dayIn } from '#web/platform/day-in.ts';
import type { BadgeTone } from '#web/ui/feedback/badge.tsx';
import { localDay } from '../site/local-time.ts';
import { findNextLeg } from './next-leg.ts';

export type StatusLook = { label: string; tone: BadgeTone };
/** `lasting`: what may be said of it on another day too, where that is something else. */
export type OrderLook = StatusLook & { lasting?: string };

/** How an order looks at `now`, in milliseconds. */
export function orderLook(order: Pick<Order, 'displayStatus' | 'legs'>, now: number): OrderLook {
  return orderLooks[orderStatusAt(order, now)];
}

/** The status at `now`, in milliseconds, which may be on another day than the one the order was read on. */
export function orderStatusAt(
  { displayStatus, legs }: Pick<Order, 'displayStatus' | 'legs'>,
  now: number,
): Order['displayStatus'] {
  if (displayStatus !== 'today' && displayStatus !== 'upcoming') return displayStatus;
  const next = findNextLeg(legs, now);
  if (next === null) return 'used';
  return localDay(next.departsLocal) === dayIn(next.departsZone, now) ? 'today' : 'upcoming';
}

const orderLooks: Record<Order['displayStatus'], OrderLook> = {
  paying: { label: 'Waiting for payment', tone: 'warning' },
  upcoming: { label: 'Upcoming', tone: 'info' },
  today: { label: 'Today', tone: 'accent', lasting: 'Upcoming' },
  boarded: { label: 'Boarded', tone: 'success' },
  used: { label: 'Used', tone: 'neutral' },
  changed: { label: 'Changed', tone: 'warning' },
  cancelled: { label: 'Canceled', tone: 'danger' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  action_needed: { label: 'Needs your attention', tone: 'danger' },
  expired: { label: 'Not completed', tone: 'neutral' },
};

type TicketLook = StatusLook & { isVoid: boolean };

const ticketLooks: Record<Ticket['status'], TicketLook> = {
  issued: { label: 'Valid', tone: 'success', isVoid: false },
  checked_in: { label: 'Checked in', tone: 'success', isVoid: false },
  boarded: { label: 'Boarded', tone: 'info', isVoid: false },
  replaced: { label: 'Replaced', tone: 'warning', isVoid: true },
  cancelled: { label: 'Canceled', tone: 'danger', isVoid: true },
  no_show: { label: 'Not used', tone: 'neutral', isVoid: true },
  expired: { label: 'Expired', tone: 'neutral', isVoid: true },
};

/** A ticket's own state, unless its crossing is canceled or over. */
export function ticketLookOf({ status }: Ticket, leg: Leg): TicketLook {
  if (leg.status === 'cancelled') return { label: 'Sailing canceled', tone: 'danger', isVoid: true };
  if (leg.status === 'arrived' && status === 'issued')
    return { label: 'Past trip', tone: 'neutral', isVoid: false };
  return ticketLooks[status];
}

/** What is unusual about a crossing, in words; null when it goes as planned. */
export function findLegLook({
  status,
  delayMinutes,
}: Pick<Leg, 'status' | 'delayMinutes'>): StatusLook | null {
  if (status === 'cancelled') return { label: 'Sailing canceled', tone: 'danger' };
  if (status === 'suspended') return { label: 'Sailing on hold', tone: 'warning' };
  if (status === 'departed') return { label: 'Departed', tone: 'neutral' };
  if (status === 'arrived') return { label: 'Arrived', tone: 'neutral' };
  if (delayMinutes > 0) return { label: `${delayMinutes} min late`, tone: 'warning' };
  if (status === 'check_in_closed') return { label: 'Check-in closed', tone: 'warning' };
  if (status === 'check_in_open') return { label: 'Check-in open', tone: 'success' };
  return null;
}

export function legName(leg: 'out' | 'back', count: number): string {
  if (count < 2) return 'Your crossing';
  return leg === 'out' ? 'Outbound' : 'Return';
}
