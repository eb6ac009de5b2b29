import type { Leg, Order, Ticket } from '#web/platform/api/types.ts';
import type { BadgeTone } from '#web/ui/badge.tsx';

export type StatusLook = { label: string; tone: BadgeTone };

export const orderLooks: Record<Order['displayStatus'], StatusLook> = {
  paying: { label: 'Waiting for payment', tone: 'warning' },
  upcoming: { label: 'Upcoming', tone: 'info' },
  today: { label: 'Today', tone: 'accent' },
  boarded: { label: 'Boarded', tone: 'success' },
  used: { label: 'Used', tone: 'neutral' },
  changed: { label: 'Changed', tone: 'warning' },
  cancelled: { label: 'Canceled', tone: 'danger' },
  refunded: { label: 'Refunded', tone: 'neutral' },
  action_needed: { label: 'Needs your attention', tone: 'danger' },
  expired: { label: 'Not completed', tone: 'neutral' },
};

export const ticketLooks: Record<Ticket['status'], StatusLook & { isVoid: boolean }> = {
  issued: { label: 'Valid', tone: 'success', isVoid: false },
  checked_in: { label: 'Checked in', tone: 'success', isVoid: false },
  boarded: { label: 'Boarded', tone: 'info', isVoid: false },
  replaced: { label: 'Replaced', tone: 'warning', isVoid: true },
  cancelled: { label: 'Canceled', tone: 'danger', isVoid: true },
  no_show: { label: 'Not used', tone: 'neutral', isVoid: true },
  expired: { label: 'Expired', tone: 'neutral', isVoid: true },
};

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
