import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { FARE_UNDO_MS } from '#contract/gate/limits.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { gateEvents, gateEventTickets } from '#server/database/schema/gate.ts';
import { orders, payments, tickets } from '#server/database/schema/sales.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { RefundRefused, refundOrder } from '#server/orders/pay/refund-order.ts';

/**
 * Cancels the tickets of a fare that the staff member has just taken at a gate, and gives it back to the card. Repeated, it
 * changes nothing. It may arrive later if the gate took the people's boarding back in time.
 * @throws {ApiError} not_found, also if it was undone too late; order_closed if tickets are aboard
 */
export async function undoFare(
  context: Context,
  { orderId, actor }: { orderId: string; actor: StaffActor },
): Promise<void> {
  const { db, clock } = context;
  const [order] = await db
    .select({ reference: orders.reference, status: orders.status, confirmedAt: orders.confirmedAt })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      and(
        eq(orders.id, orderId),
        eq(payments.staffId, actor.staffId),
        eq(payments.method, 'trip_card'),
        isNotNull(payments.staffDevice),
      ),
    );
  if (!order?.confirmedAt) throw notFound();
  if (order.status === 'canceled') return;
  const until = new Date(order.confirmedAt.getTime() + FARE_UNDO_MS);
  if (clock.now() >= until && !(await wasBoardingUndone(db, { orderId, until }))) throw notFound();
  try {
    await refundOrder(context, { reference: order.reference, toTripCard: null, actor });
  } catch (error) {
    if (error instanceof RefundRefused) throw new ApiError('order_closed');
    throw error;
  }
  wakeMailWorker(context.jobs);
}

async function wasBoardingUndone(
  db: Database,
  { orderId, until }: { orderId: string; until: Date },
): Promise<boolean> {
  const undone = await db
    .select({ id: gateEvents.id })
    .from(gateEvents)
    .innerJoin(gateEventTickets, eq(gateEventTickets.eventId, gateEvents.undoes))
    .innerJoin(tickets, eq(tickets.id, gateEventTickets.ticketId))
    .where(and(eq(tickets.orderId, orderId), lt(gateEvents.occurredAt, until)))
    .limit(1);
  return undone.length > 0;
}
