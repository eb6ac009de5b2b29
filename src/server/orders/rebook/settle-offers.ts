import { and, asc, eq, lte, type SQL } from 'drizzle-orm';
import { isOffered } from '#domain/orders/offered-boats.ts';
import { FULL_REFUND } from '#domain/refunds/refund-tiers.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import type { Database } from '#server/database/database.ts';
import { type RebookingOfferRow, rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { queuePushes, wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { notifyPassengers } from '#server/sailings/notices/notify-passengers.ts';
import { endOffer } from '#server/sailings/offers/end-offers.ts';
import { lockOrder } from '../confirm-order.ts';
import { cancelTickets, closeCancellation } from '../crossings/cancel-tickets.ts';
import { closeLeftPayment } from '../pay/open-payments.ts';
import { refundAmount, TripCardGone } from '../pay/refund-payments.ts';
import { planRefund } from '../plan-cancellation.ts';
import { isUnused, listSoldTickets, readStoredOrder } from '../queries.ts';
import { remindOfOpenTickets } from './remind-open-tickets.ts';

/** Offers per run of the job, which runs every minute. */
const BATCH = 200;

/** Registers the job that settles offers whose deadline has passed and reminds of open tickets, every minute. */
export async function registerOfferJobs(context: Context): Promise<void> {
  await context.jobs.work('settle-offers', async () => {
    await settleDueOffers(context);
    await remindOfOpenTickets(context);
  });
  await context.jobs.schedule('settle-offers', '* * * * *');
}

/** Refunds, or ends, each offer that was not answered by its deadline. A failure does not stop the rest. */
export async function settleDueOffers(context: Context): Promise<void> {
  const due = await context.db
    .select()
    .from(rebookingOffers)
    .where(isDue(context))
    .orderBy(asc(rebookingOffers.deadline))
    .limit(BATCH);
  for (const offer of due) {
    try {
      await settleOffer(context, offer, 'as_offered');
      if (offer.reason === 'sailing_delayed') await offerOnwardBoat(context, offer);
    } catch (error) {
      const fields = { order_id: offer.orderId, ...describeError(error) };
      if (!(error instanceof TripCardGone)) {
        context.log.error('offer not settled', fields);
        continue;
      }
      context.log.error('canceled sailing not refunded; pay it back by hand', fields);
      await settleOffer(context, offer, 'keep');
    }
  }
}

/** Offers another second boat to a party whose first boat has departed so late that it misses the booked one. */
async function offerOnwardBoat(context: Context, { orderId }: RebookingOfferRow): Promise<void> {
  await inTransaction(context.db, (tx) => notifyPassengers(tx, context, { changingBoats: [orderId] }));
}

function isDue({ clock }: Pick<Context, 'clock'>): SQL | undefined {
  return and(eq(rebookingOffers.status, 'open'), lte(rebookingOffers.deadline, clock.now()));
}

/** @param how `keep`: the tickets stay, whatever was offered */
async function settleOffer(
  context: Context,
  { id, orderId }: RebookingOfferRow,
  how: 'as_offered' | 'keep',
): Promise<void> {
  const requested = await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    // An open ticket has a later deadline.
    const [offer] = await tx
      .select()
      .from(rebookingOffers)
      .where(and(eq(rebookingOffers.id, id), isDue(context)));
    if (!order || !offer) return [];
    const isRefunded = how === 'as_offered' && offer.ifUnanswered === 'refund';
    const refunds = isRefunded ? await refundJourney(tx, context, { order, offer }) : null;
    await endOffer(tx, { offer, status: refunds === null ? 'kept' : 'refunded', now: context.clock.now() });
    return refunds ?? [];
  });
  wakeMessageWorkers(context.jobs);
  await closeLeftPayment(context, orderId);
  for (const refundId of requested) await context.jobs.send('refund', { refund_id: refundId });
}

/**
 * Cancels the unused tickets of a journey and refunds them in full.
 * @returns the refunds to request from the card provider; null if nothing can be refunded
 */
async function refundJourney(
  tx: Database,
  context: Context,
  { order, offer }: { order: OrderRow; offer: RebookingOfferRow },
): Promise<string[] | null> {
  const sold = await readStoredOrder(tx, order);
  const unused = listSoldTickets(sold).filter((ticket) => isUnused(ticket) && isOffered(offer, ticket));
  if (unused.length === 0) return null;
  // The bank decides about a disputed payment.
  if (order.paymentStatus === 'disputed') {
    context.log.warn('offer not refunded while the payment is disputed', { order_id: order.id });
    return null;
  }
  const refund = planRefund(sold, unused, () => FULL_REFUND);
  const cancellation = await cancelTickets(tx, context, { sold, refund, actor: 'operator' });
  const written = await refundAmount(tx, context, {
    sold,
    destination: null,
    amount: refund.refund,
    trips: refund.trips,
    reason: offer.reason === 'sailing_canceled' ? 'sailing_canceled' : 'operator',
    cancellationId: cancellation.id,
  });
  await closeCancellation(tx, context, order);
  await queuePushes(tx, context, { kind: 'order-refunded-unanswered', orderIds: [order.id] });
  await queueOrderMail(tx, context, {
    kind: 'order-refunded-unanswered',
    orderId: order.id,
    cancellationId: cancellation.id,
  });
  return written.filter(({ status }) => status === 'requested').map(({ id }) => id);
}
