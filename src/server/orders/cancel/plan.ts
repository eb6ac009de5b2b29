import { getDirection } from '#domain/orders/legs.ts';
import { isOffered } from '#domain/orders/offered-boats.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { FULL_REFUND, findRefundTerms, type RefundTerms } from '#domain/refunds/refund-tiers.ts';
import { findTermsDeparture } from '#domain/refunds/terms-departure.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';
import { ApiError, type ErrorDetails, notFound } from '#server/http/api-error.ts';
import { presentSailingTimes } from '#server/sailings/presenter.ts';
import { isOperatorsFault } from '../crossings/needs-attention.ts';
import { type PlannedRefund, planRefund, withJoinedTickets } from '../plan-cancellation.ts';
import { isUnused, listSoldTickets, type StoredOrder } from '../queries.ts';
import { findRemedy } from './find-remedy.ts';
import { type CancellableOrder, requireValidParty } from './party.ts';

/** A cancellation that the fare's rules allow. `joined`: tickets that are canceled together with the chosen ones. */
export type Plan = {
  refund: PlannedRefund;
  tickets: TicketRow[];
  joined: TicketRow[];
  isByOperator: boolean;
};

/**
 * Plans the cancellation of tickets by their buyer, on the rules at the time of purchase.
 * @throws {ApiError} not_found, version_conflict, change_not_allowed, check_in_closed, refund_not_allowed
 */
export function planCancellation(
  order: CancellableOrder,
  { ticketIds, now }: { ticketIds: readonly string[]; now: Date },
): Plan {
  const { sold } = order;
  requireOpen(sold);
  const chosen = findChosen(sold, ticketIds);
  const isJoinable = (ticket: TicketRow) => chosen.includes(ticket) || !isTraveled(order, ticket, now);
  const tickets = withJoinedTickets({ ...sold, tickets: sold.tickets.filter(isJoinable) }, chosen);
  const used = tickets.find(({ status }) => status !== 'issued');
  if (used) throw new ApiError('check_in_closed', describeUsed(sold, used));
  const findTicketTerms = (ticket: TicketRow) => findTerms(order, ticket, now);
  const refund = planRefund(sold, tickets, findTicketTerms);
  if (refund.paid > 0 && refund.refund === 0)
    throw refuseWithoutRefund(order, { tickets, findTicketTerms, now });
  requireNotDeparted(order, tickets, now);
  requireValidParty(order, tickets);
  return {
    refund,
    tickets,
    joined: tickets.filter((ticket) => !chosen.includes(ticket)),
    isByOperator: isByOperator(order),
  };
}

function requireOpen({ order: { status, paymentStatus } }: StoredOrder): void {
  if (status === 'canceled') {
    throw new ApiError('change_not_allowed', { reason: 'order_canceled' });
  }
  if (status !== 'confirmed' && status !== 'partly_canceled') throw new ApiError('change_not_allowed');
  if (paymentStatus !== 'disputed') return;
  throw new ApiError('refund_not_allowed', {
    reason: 'refund_disputed',
  });
}

function findChosen(sold: StoredOrder, ticketIds: readonly string[]): TicketRow[] {
  const ownTicketIds = new Set(sold.tickets.map(({ id }) => id));
  if (!ticketIds.every((id) => ownTicketIds.has(id))) throw notFound();
  const left = listSoldTickets(sold).filter(({ id }) => ticketIds.includes(id));
  if (left.length !== new Set(ticketIds).size) throw new ApiError('version_conflict');
  return left;
}

/** A canceled or very late sailing, or too small a boat: the whole journey is refunded in full. */
function isByOperator({ sold, choices }: CancellableOrder): boolean {
  return choices.length > 0 || isOperatorsFault(sold.order);
}

function findTerms(order: CancellableOrder, ticket: TicketRow, now: Date): RefundTerms | null {
  const { sold } = order;
  const sailing = order.legs.find(({ leg }) => leg === ticket.leg)?.sailing;
  const departsAt = findTermsDeparture(order.legs, ticket);
  if (!sailing || departsAt === null) return null;
  if (isByOperator(order) && !hasLeft(order, ticket, now)) return FULL_REFUND;
  return findRefundTerms(sold.order.farePolicy.cancel, departsAt, now.getTime());
}

/** Whether the boat of a ticket has departed. The boats of a choice can be refunded until its deadline. */
function hasLeft({ legs, choices }: CancellableOrder, ticket: TicketRow, now: Date): boolean {
  const sailing = legs.find(({ leg }) => leg === ticket.leg)?.sailing;
  if (sailing === undefined || sailing.status === 'canceled') return false;
  const hasDeparted = sailing.departedAt !== null || now > sailing.departsAt;
  return hasDeparted && !choices.some((offer) => isOffered(offer, ticket));
}

/** Whether the boat of a ticket left before the operator changed the other boat of its journey, which is refunded alone. */
function isTraveled(order: CancellableOrder, ticket: TicketRow, now: Date): boolean {
  const direction = getDirection(ticket.leg);
  const isAffected =
    order.choices.some((offer) => offer.direction === direction) ||
    order.legs.some(({ leg, sailing }) => getDirection(leg) === direction && sailing.status === 'canceled');
  return isAffected && hasLeft(order, ticket, now);
}

/** A free ticket has no refund that could run out, so its departure ends its cancellation. */
function requireNotDeparted(order: CancellableOrder, tickets: readonly TicketRow[], now: Date): void {
  if (!tickets.some((ticket) => hasLeft(order, ticket, now))) return;
  throw new ApiError('check_in_closed', {
    reason: 'tickets_departed',
  });
}

function refuseWithoutRefund(
  order: CancellableOrder,
  {
    tickets,
    findTicketTerms,
    now,
  }: { tickets: TicketRow[]; findTicketTerms: (ticket: TicketRow) => RefundTerms | null; now: Date },
): ApiError {
  const hasVehicle = order.sold.order.vehicle !== null;
  const isClosed = tickets.every(({ leg: own }) => {
    const sailing = order.legs.find(({ leg }) => leg === own)?.sailing;
    return sailing && now >= new Date(presentSailingTimes(sailing, { hasVehicle }).check_in_closes_at);
  });
  const others = listSoldTickets(order.sold).filter(
    (ticket) => !tickets.includes(ticket) && isUnused(ticket),
  );
  const remedy = findRemedy({
    policy: order.sold.order.farePolicy,
    departures: tickets.map(
      ({ leg }) => findTermsDeparture(order.legs, { leg, refundsCountFrom: null }) ?? 0,
    ),
    refundable: others.filter((ticket) => findTicketTerms(ticket) !== null),
    now,
  });
  return isClosed
    ? new ApiError('check_in_closed', { reason: 'cancel_too_late', params: { remedy } })
    : new ApiError('refund_not_allowed', { reason: 'no_refund_now', params: { remedy } });
}

function describeUsed({ order, lines }: StoredOrder, ticket: TicketRow): ErrorDetails {
  const name = findTravelerName(order.travelerNames, ticket);
  return {
    reason: 'ticket_checked_in',
    params: (t) => ({
      ticket_id: ticket.id,
      who: name ?? titleTicket(t, ticket, { lines, plate: order.plate }),
    }),
  };
}
