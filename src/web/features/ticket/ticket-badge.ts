import { isVoid } from '#domain/orders/describe-ticket.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import type { BadgeContent } from '../order/order-status.ts';

type TicketBadgeContent = BadgeContent & { isVoid: boolean };

const TICKET_BADGES: Record<Ticket['status'], TicketBadgeContent> = {
  issued: { label: 'Valid', tone: 'success', isVoid: false },
  checked_in: { label: 'Checked in', tone: 'success', isVoid: false },
  boarded: { label: 'Boarded', tone: 'info', isVoid: false },
  replaced: { label: 'Replaced', tone: 'warning', isVoid: true },
  cancelled: { label: 'Canceled', tone: 'danger', isVoid: true },
  no_show: { label: 'Missed', tone: 'neutral', isVoid: true },
  expired: { label: 'Expired', tone: 'neutral', isVoid: true },
};

const PAST_BADGES: Partial<typeof TICKET_BADGES> = {
  // Without a gate that reports what it scans, it is not known who boarded.
  issued: { label: 'Past trip', tone: 'neutral', isVoid: true },
  checked_in: { label: 'Used', tone: 'neutral', isVoid: true },
  boarded: { label: 'Used', tone: 'neutral', isVoid: true },
};

/** The state of a ticket; of one that is still valid, that its crossing is open, canceled or over, so that no code is shown. */
export function getTicketBadge(ticket: Ticket, leg: Leg): TicketBadgeContent {
  const { status } = ticket;
  if (isVoid(ticket)) return TICKET_BADGES[status];
  if (leg.openTicketUntilLocal) return { label: 'Open ticket: choose a sailing', tone: 'info', isVoid: true };
  if (leg.status === 'cancelled') return { label: 'Sailing canceled', tone: 'danger', isVoid: true };
  if (leg.status !== 'arrived') return TICKET_BADGES[status];
  return PAST_BADGES[status] ?? TICKET_BADGES[status];
}
