import { isVoid } from '#domain/orders/describe-ticket.ts';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { type BadgeContent, getPastTripBadge } from '../order/order-status.ts';

type TicketBadgeContent = BadgeContent & { isVoid: boolean };

const TICKET_BADGES: Record<Ticket['status'], TicketBadgeContent> = {
  issued: { label: 'Valid', tone: 'success', isVoid: false },
  checked_in: { label: 'Checked in', tone: 'success', isVoid: false },
  boarded: { label: 'Boarded', tone: 'info', isVoid: false },
  replaced: { label: 'Replaced', tone: 'warning', isVoid: true },
  canceled: { label: 'Canceled', tone: 'danger', isVoid: true },
  no_show: { label: 'Missed', tone: 'neutral', isVoid: true },
  expired: { label: 'Expired', tone: 'neutral', isVoid: true },
};

/** The state of a ticket; of one that is still valid, that its crossing is open, canceled or over, so that no code is shown. */
export function getTicketBadge(ticket: Ticket, leg: Leg): TicketBadgeContent {
  const { status } = ticket;
  if (isVoid(ticket)) return TICKET_BADGES[status];
  if (leg.openTicketUntilLocal) return { label: 'Open ticket: choose a sailing', tone: 'info', isVoid: true };
  if (leg.status === 'canceled') return { label: 'Sailing canceled', tone: 'danger', isVoid: true };
  if (leg.status !== 'arrived') return TICKET_BADGES[status];
  return { ...getPastTripBadge(getTripOutcome([status])), isVoid: true };
}
