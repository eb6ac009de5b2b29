import { isVoid } from '#domain/orders/ticket-status.ts';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { type BadgeContent, getPastTripBadge } from '../order/order-status.ts';

export type TicketBadgeContent = BadgeContent & { isVoid: boolean };

const TICKET_BADGES: Record<Ticket['status'], TicketBadgeContent & { label: Message }> = {
  issued: { label: message('Valid'), tone: 'success', isVoid: false },
  checked_in: { label: message('Checked in'), tone: 'success', isVoid: false },
  boarded: { label: message('Boarded|a ticket'), tone: 'info', isVoid: false },
  replaced: { label: message('Replaced'), tone: 'warning', isVoid: true },
  canceled: { label: message('Canceled|tickets'), tone: 'danger', isVoid: true },
  no_show: { label: message('Missed'), tone: 'neutral', isVoid: true },
  expired: { label: message('Expired|tickets'), tone: 'neutral', isVoid: true },
};

/** The state of a ticket; of one that is still valid, that its crossing is open, canceled or over, so that no code is shown. */
export function getTicketBadge(ticket: Ticket, leg: Leg): TicketBadgeContent {
  const { status } = ticket;
  if (isVoid(ticket)) return nameStatus(status);
  if (leg.openTicketUntilLocal)
    return { label: t('Open ticket: choose a sailing'), tone: 'info', isVoid: true };
  if (leg.status === 'canceled') return { label: t('Sailing canceled'), tone: 'danger', isVoid: true };
  // The code stays: the boat may be late, and crews look at tickets aboard.
  if (leg.status === 'departed' && status === 'issued')
    return { label: t('Departed'), tone: 'neutral', isVoid: false };
  if (leg.status !== 'arrived') return nameStatus(status);
  return { ...getPastTripBadge(getTripOutcome([status])), isVoid: true };
}

/** Of a party's code, which still has to be scanned while one of the tickets is unused. `tickets`: valid ones first. */
export function getPartyBadge(tickets: readonly Ticket[], leg: Leg): TicketBadgeContent {
  const behind = tickets.find(({ status }) => status === 'issued') ?? tickets[0];
  return behind ? getTicketBadge(behind, leg) : nameStatus('issued');
}

function nameStatus(status: Ticket['status']): TicketBadgeContent {
  const badge = TICKET_BADGES[status];
  return { ...badge, label: t(badge.label) };
}
