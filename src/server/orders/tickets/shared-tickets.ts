import { eq } from 'drizzle-orm';
import type { SharedTickets } from '#contract/orders/ticket-shares/schemas.ts';
import { getDirection } from '#domain/orders/legs.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import { hashToken } from '#server/core/vault.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';
import {
  type TicketPlace,
  type TicketShareRow,
  ticketShares,
} from '#server/database/schema/ticket-shares.ts';
import { findTravelDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { notFound } from '#server/http/api-error.ts';
import { presentLeg, presentTickets } from '../presenter.ts';
import { type OrderRecord, requireOrder } from '../queries.ts';

/** @throws {ApiError} not_found, the same for a revoked link */
async function requireShare({ db }: Pick<Context, 'db'>, token: string): Promise<TicketShareRow> {
  const [share] = await db
    .select()
    .from(ticketShares)
    .where(eq(ticketShares.tokenHash, hashToken(token)));
  if (!share) throw notFound();
  return share;
}

type PlacedTicket = Pick<TicketRow, 'leg' | 'kind' | 'partyIndex' | 'status'>;

/** The tickets that are in these places of the order now; none in a place that a changed order no longer has. */
export function findTickets<Ticket extends PlacedTicket>(
  places: readonly TicketPlace[],
  tickets: readonly Ticket[],
): Ticket[] {
  return tickets.filter(
    (ticket) => ticket.status !== 'replaced' && places.some((place) => isIn(place, ticket)),
  );
}

function isIn({ direction, kind, partyIndex }: TicketPlace, ticket: PlacedTicket): boolean {
  return getDirection(ticket.leg) === direction && ticket.kind === kind && ticket.partyIndex === partyIndex;
}

/** The tickets of a link with their sailings, as its holder sees them. */
export async function readSharedTickets(
  context: Context,
  { token, language }: { token: string; language: string },
): Promise<SharedTickets> {
  const share = await requireShare(context, token);
  const record = await requireOrder(context, share.orderId);
  const now = context.clock.now();
  const tickets = listShownTickets(share.places, record.tickets);
  return {
    reference: record.order.reference,
    legs: record.legs
      .filter(({ leg }) => tickets.some((ticket) => ticket.leg === leg))
      .map((leg) => presentLeg(leg, record, { now, language })),
    tickets: presentTickets({ ...record, tickets }, { now, language }),
    notice: getNotice(record.order, language),
    as_of: now.toISOString(),
  };
}

/** A ticket that a change of the order left without a successor is canceled for its holder. */
function listShownTickets(places: readonly TicketPlace[], tickets: readonly TicketRow[]): TicketRow[] {
  return places.flatMap((place) => {
    const current = findTickets([place], tickets);
    if (current.length > 0) return current;
    return tickets
      .filter((ticket) => isIn(place, ticket))
      .map((ticket): TicketRow => ({ ...ticket, status: 'canceled' }));
  });
}

/** The holder of a link cannot decide about the order. */
function getNotice({ needsAttention }: OrderRecord['order'], language: string): string {
  const t = textsIn(language);
  switch (needsAttention) {
    case 'sailing_canceled':
      return t(
        'We are sorry: your sailing is canceled. Ask the person who sent you this ticket how you travel now.',
      );
    case 'no_room':
      return t(
        'A smaller boat runs on your sailing and may not have enough room for you. Ask the person who sent you this ticket how you travel now.',
      );
    case 'sailing_changed':
      return t('Your sailing has changed. Check the times on this page. Your ticket stays valid.');
    default:
      return '';
  }
}

/**
 * The valid tickets of a link, to be printed or exported to a calendar: without the order's other tickets and payments.
 * @throws {ApiError} not_found, also if none of them is valid
 */
export async function requireSharedDocument(
  context: Context,
  { token, language }: { token: string; language: string },
): Promise<TravelDocument> {
  const share = await requireShare(context, token);
  const document = await findTravelDocument(context.db, share.orderId, language);
  const tickets = findTickets(share.places, document?.tickets ?? []);
  if (!document || tickets.length === 0) throw notFound();
  return {
    ...document,
    tickets,
    legs: document.legs.filter(({ leg }) => tickets.some((ticket) => ticket.leg === leg)),
    ...{ lines: [], paid: [], refunded: [], cancellations: [], canceledLegs: [], assistance: null },
  };
}
