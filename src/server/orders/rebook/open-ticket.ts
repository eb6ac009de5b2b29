import { eq, sql } from 'drizzle-orm';
import type { KeepOpenTicket } from '#contract/orders/rebook/schemas.ts';
import { getDirection } from '#domain/orders/legs.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { orders } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { releaseProtections } from '#server/sailings/offers/end-offers.ts';
import { createJourneyFinder } from '#server/sailings/offers/find-journeys.ts';
import { lockOrder } from '../confirm-order.ts';
import { isUnused, listSoldTickets, readStoredOrder } from '../queries.ts';
import { findOpenTicketEnd, readChoices } from './choices.ts';

/**
 * Keeps an open ticket for a journey of an order whose sailing is canceled: its protected places are put on sale, and its
 * party may choose a sailing until the last day that its fare allows. Asking again changes nothing.
 * @throws {ApiError} not_found, change_not_allowed, version_conflict
 */
export async function keepOpenTicket(
  context: Context,
  input: KeepOpenTicket & { orderId: string },
): Promise<void> {
  await inTransaction(context.db, (tx) => keepInTransaction(tx, context, input));
  wakeMailWorker(context.jobs);
}

async function keepInTransaction(
  tx: Database,
  context: Context,
  { orderId, direction, version }: KeepOpenTicket & { orderId: string },
): Promise<void> {
  const now = context.clock.now();
  const order = await lockOrder(tx, orderId);
  if (!order) throw notFound();
  const { choices } = await readChoices(tx, { orderId: order.id, now });
  const choice = choices.find(({ offer }) => offer.direction === direction);
  if (!choice) throw new ApiError('change_not_allowed', { reason: 'choice_over' });
  const { offer } = choice;
  if (offer.openTicketAt !== null) return;
  if (offer.status === 'moved') throw new ApiError('change_not_allowed', { reason: 'moved_already' });
  if (order.version !== version) throw new ApiError('version_conflict');
  const tickets = listSoldTickets(await readStoredOrder(tx, order)).filter(
    ({ leg }) => getDirection(leg) === direction,
  );
  if (!tickets.every(isUnused)) throw new ApiError('change_not_allowed', { reason: 'ticket_used' });
  const deadline = findOpenTicketEnd(await createJourneyFinder(tx, now), choice, order);
  if (deadline === null) throw new ApiError('change_not_allowed', { reason: 'no_open_ticket' });
  await tx
    .update(orders)
    .set({ version: sql`${orders.version} + 1`, updatedAt: now })
    .where(eq(orders.id, order.id));
  await tx
    .update(rebookingOffers)
    .set({ openTicketAt: now, deadline, holdId: null, protectedSailingIds: null, updatedAt: now })
    .where(eq(rebookingOffers.id, offer.id));
  await releaseProtections(tx, [offer]);
  await queueOrderMail(tx, context, { kind: 'open-ticket-kept', orderId: order.id });
}
