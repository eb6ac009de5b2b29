import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, sql } from 'drizzle-orm';
import {
  type CreatedTicketShare,
  MAX_TICKET_SHARES,
  type ShareTickets,
  type TicketShare,
} from '#contract/orders/ticket-shares/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId, newLinkToken } from '#server/core/ids.ts';
import { hashToken } from '#server/core/vault.ts';
import { type Database, writtenRow } from '#server/database/database.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';
import {
  type TicketPlace,
  type TicketShareRow,
  ticketShares,
} from '#server/database/schema/ticket-shares.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { describeCrossing } from '#server/documents/travel-text.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { DAY_SECONDS, HOUR_SECONDS, isWithinLimit, rateLimit } from '#server/http/rate-limit.ts';
import { normalizeEmail } from '#server/identity/customers.ts';
import { findAccountLanguage, queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { daysBefore } from '#server/retention.ts';
import { lockOrder } from '../confirm-order.ts';
import { maskEmail } from '../presenter.ts';
import type { OrderRecord } from '../queries.ts';
import { findTickets } from './shared-tickets.ts';

const SHARES_OF_ORDER = { name: 'ticket-shares', limit: 60, windowSeconds: HOUR_SECONDS };
const SHARES_OF_NETWORK = { name: 'ticket-shares-network', limit: 120, windowSeconds: HOUR_SECONDS };
/** Per recipient, over all senders. */
const MAILS = { name: 'ticket-share-mailbox', limit: 5, windowSeconds: DAY_SECONDS };
/** How long after the last sailing of its order a share is kept. */
const SHARE_DAYS = 30;

/** Whether the order's owner is signed in; anyone else has the order's link. */
type Sender = { isOwner: boolean; network: string };

/**
 * Creates a link that shows some tickets of an order and nothing else of it, and mails it if an address is given.
 * @throws {ApiError} rate_limited, order_closed, too_many_shares, invalid_input for tickets that are not valid
 */
export async function shareTickets(
  context: Context,
  { record, isOwner, network, ...input }: ShareTickets & Sender & { record: OrderRecord },
): Promise<CreatedTicketShare> {
  const { order } = record;
  await rateLimit(context, { ...SHARES_OF_NETWORK, who: network });
  await rateLimit(context, { ...SHARES_OF_ORDER, who: order.id });
  requireOpenOrder(order);
  const tickets = requireValidTickets(record, input.ticket_ids);
  const to = input.email === undefined ? null : normalizeEmail(input.email);
  const isMailed = to !== null && (await isWithinLimit(context, { ...MAILS, who: to }));
  const email = isMailed ? to : null;
  const token = newLinkToken();
  const url = context.config.origins.tickets + fillPath(ticketPages.sharedTickets, { token });
  const { share, mailId } = await inTransaction(context.db, async (tx) => ({
    share: await addShare(tx, context, { record, tickets, token, email, name: input.name ?? '' }),
    mailId: email && (await mailTickets(tx, context, { record, tickets, url, email })),
  }));
  if (mailId) sendSoon(context.jobs, mailId);
  return { ...presentShare(share, { record, isOwner }), url, is_mailed: isMailed };
}

/** To whom tickets of the order were sent, newest last. */
export async function listShares(
  { db }: Pick<Context, 'db'>,
  { record, isOwner }: { record: OrderRecord; isOwner: boolean },
): Promise<TicketShare[]> {
  const rows = await db
    .select()
    .from(ticketShares)
    .where(eq(ticketShares.orderId, record.order.id))
    .orderBy(asc(ticketShares.insertedAt), asc(ticketShares.id));
  return rows.map((row) => presentShare(row, { record, isOwner }));
}

/**
 * Ends a link at once.
 * @param input staff: who does it for the buyer, for the audit log
 * @throws {ApiError} not_found
 */
export async function revokeShare(
  context: Pick<Context, 'db' | 'clock'>,
  { orderId, shareId, staff }: { orderId: string; shareId: string; staff?: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const deleted = await tx
      .delete(ticketShares)
      .where(and(eq(ticketShares.id, shareId), eq(ticketShares.orderId, orderId)))
      .returning({ id: ticketShares.id });
    if (deleted.length === 0) throw notFound();
    if (!staff) return;
    await recordAudit(tx, context, {
      ...{ actor: staff, action: 'ticket_share_revoked', objectKind: 'order', objectId: orderId },
      ...{ before: {}, after: {}, reason: null },
    });
  });
}

/** Deletes the shares of orders whose last sailing arrived a month ago. */
export async function deleteOldShares(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, SHARE_DAYS).toISOString();
  await db.execute(sql`
    delete from ticket_shares t
    where t.inserted_at < ${end}::timestamptz and not exists (
      select 1 from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = t.order_id and s.arrives_at >= ${end}::timestamptz
    )
  `);
}

function requireOpenOrder({ status }: OrderRecord['order']): void {
  if (status === 'confirmed' || status === 'partly_canceled') return;
  throw new ApiError('order_closed', {
    reason: 'no_valid_tickets',
  });
}

function requireValidTickets({ tickets }: OrderRecord, ids: readonly string[]): TicketRow[] {
  const isValid = ({ status }: TicketRow) => status === 'issued' || status === 'checked_in';
  const chosen = tickets.filter((ticket) => ids.includes(ticket.id) && isValid(ticket));
  if (chosen.length === new Set(ids).size) return chosen;
  throw new ApiError('invalid_input', {
    field: 'ticket_ids',
    reason: 'invalid_tickets',
  });
}

/** A journey with a change of boats is sent as a whole. */
function listPlaces(tickets: readonly TicketRow[]): TicketPlace[] {
  const places = tickets.map(({ leg, kind, partyIndex }) => ({
    direction: getDirection(leg),
    kind,
    partyIndex,
  }));
  return places.filter((place, at) => places.findIndex((each) => isDeepStrictEqual(each, place)) === at);
}

type NewShare = {
  record: OrderRecord;
  tickets: TicketRow[];
  token: string;
  email: string | null;
  name: string;
};

async function addShare(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { record, tickets, token, email, name }: NewShare,
): Promise<TicketShareRow> {
  const orderId = record.order.id;
  // Locked, so that concurrent requests cannot exceed the number of links together.
  await lockOrder(tx, orderId);
  if ((await tx.$count(ticketShares, eq(ticketShares.orderId, orderId))) >= MAX_TICKET_SHARES) {
    throw new ApiError('too_many_shares', {
      reason: 'all_shares_used',
    });
  }
  const added = await tx
    .insert(ticketShares)
    .values({
      id: newId('tsh'),
      orderId,
      tokenHash: hashToken(token),
      places: listPlaces(tickets),
      name,
      email,
      insertedAt: clock.now(),
    })
    .returning();
  return writtenRow(added);
}

async function mailTickets(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  {
    record: { order, legs },
    tickets,
    url,
    email,
  }: { record: OrderRecord; tickets: readonly TicketRow[]; url: string; email: string },
): Promise<string> {
  const language = (await findAccountLanguage(tx, email)) ?? order.locale;
  const sailings = legs
    .filter(({ leg }) => tickets.some((ticket) => ticket.leg === leg))
    .map(({ sailing }) =>
      describeCrossing({ ...sailing, isCanceled: sailing.status === 'canceled' }, language),
    );
  return queueAccountMail(tx, context, {
    to: email,
    language,
    kind: 'tickets-shared',
    data: { link: url, tickets: tickets.length, sailings },
  });
}

function presentShare(
  { id, places, name, email, insertedAt }: TicketShareRow,
  { record, isOwner }: { record: OrderRecord; isOwner: boolean },
): TicketShare {
  return {
    id,
    ticket_ids: findTickets(places, record.tickets).map(({ id: ticketId }) => ticketId),
    name,
    email: email === null || isOwner ? email : maskEmail(email),
    inserted_at: insertedAt.toISOString(),
  };
}
