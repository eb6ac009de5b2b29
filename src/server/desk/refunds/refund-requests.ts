import { and, eq } from 'drizzle-orm';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { RefundStaffOrder } from '#contract/desk/refunds/schemas.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { type RefundRequestRow, refundRequests } from '#server/database/schema/desk.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { previewRefund, RefundRefused, refundInTransaction } from '#server/orders/pay/refund-order.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { findCardByNumber } from '#server/trip-cards/queries.ts';
import { startRefunds, sumAmounts, toRefundInput } from './refund-beyond-rules.ts';

/**
 * Asks for a refund that another person approves.
 * @throws {ApiError} refund_refused, also if a request for the order is open already
 */
export async function askForRefund(
  context: Context,
  { record, refund, actor }: { record: OrderRecord; refund: RefundStaffOrder; actor: StaffActor },
): Promise<void> {
  const { order } = record;
  const { result } = await previewRefund(context, toRefundInput(order, { ...refund, actor }));
  const amount = sumAmounts(result.added);
  if (amount === 0) throw new RefundRefused({ reason: 'nothing_to_repeat' });
  const card =
    refund.trip_card === null
      ? null
      : await findCardByNumber(context.db, parseTripCardNumber(refund.trip_card) ?? '');
  const now = context.clock.now();
  try {
    await inTransaction(context.db, async (tx) => {
      await tx.insert(refundRequests).values({
        ...{ id: newId('rrq'), orderId: order.id, scope: refund.scope, tripCardId: card?.id ?? null, amount },
        ...{ reason: refund.reason, orderVersion: refund.version, status: 'open', askedBy: actor.staffId },
        ...{ insertedAt: now, updatedAt: now },
      });
      await recordAudit(tx, context, {
        ...{ actor, action: 'refund_asked', objectKind: 'order', objectId: order.id, reason: refund.reason },
        ...{ before: {}, after: { amount } },
      });
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) === null) throw error;
    throw new RefundRefused({ reason: 'refund_asked_already' });
  }
}

type Decision = { requestId: string; actor: StaffActor };

/**
 * Makes a refund that another person has asked for.
 * @returns the order's reference
 * @throws {ApiError} not_found for a request that is not open; refund_refused for an own one, and if the order has changed
 * since it was asked for
 */
export async function approveRefund(context: Context, { requestId, actor }: Decision): Promise<string> {
  const result = await inTransaction(context.db, async (tx) => {
    const { request, order } = await lockOpenRequest(tx, requestId);
    if (request.askedBy === actor.staffId) throw new RefundRefused({ reason: 'own_refund_request' });
    await decide(tx, context, { request, actor, status: 'approved' });
    const { scope, reason, orderVersion: version } = request;
    const asked = { scope, reason, version, trip_card: await findCardNumber(tx, request) };
    const made = await refundInTransaction(tx, context, toRefundInput(order, { ...asked, actor }));
    if (sumAmounts(made.added) !== request.amount) throw new RefundRefused({ reason: 'order_changed' });
    return made;
  });
  await startRefunds(context, result);
  return result.order.reference;
}

/**
 * Ends a request: the person's own one, or that of another person if they could approve it.
 * @returns the order's reference
 * @throws {ApiError} not_found for a request that is not open, not_permitted
 */
export async function refuseRefund(context: Context, { requestId, actor }: Decision): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const { request, order } = await lockOpenRequest(tx, requestId);
    const isOwn = request.askedBy === actor.staffId;
    if (!isOwn && !hasPermission(actor.role, 'approve_refunds')) throw new ApiError('not_permitted');
    await decide(tx, context, { request, actor, status: 'refused' });
    await recordAudit(tx, context, {
      ...{ actor, action: 'refund_refused', objectKind: 'order', objectId: order.id, reason: null },
      ...{ before: {}, after: { amount: request.amount } },
    });
    return order.reference;
  });
}

/** The refund of an order that waits for another person; null if there is none. */
export async function findOpenRequest(
  db: Database,
  { orderId, staffId }: { orderId: string; staffId: string },
): Promise<StaffOrder['refund_request']> {
  const [row] = await db
    .select({ request: refundRequests, askedBy: staffMembers.name })
    .from(refundRequests)
    .leftJoin(staffMembers, eq(staffMembers.id, refundRequests.askedBy))
    .where(and(eq(refundRequests.orderId, orderId), eq(refundRequests.status, 'open')));
  if (!row) return null;
  const { request, askedBy } = row;
  return {
    ...{ id: request.id, scope: request.scope, amount: request.amount, reason: request.reason },
    ...{ at: request.insertedAt.toISOString(), asked_by: askedBy, is_own: request.askedBy === staffId },
    trip_card_last_four: (await findCardNumber(db, request))?.slice(-4) ?? null,
  };
}

/** Rows are locked order first. */
async function lockOpenRequest(
  tx: Database,
  requestId: string,
): Promise<{ request: RefundRequestRow; order: OrderRow }> {
  const isOpen = and(eq(refundRequests.id, requestId), eq(refundRequests.status, 'open'));
  const [match] = await tx.select({ orderId: refundRequests.orderId }).from(refundRequests).where(isOpen);
  const order = match && (await lockOrder(tx, match.orderId));
  const [request] = await tx.select().from(refundRequests).where(isOpen).for('no key update');
  if (!order || !request) throw notFound();
  return { request, order };
}

async function decide(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    request,
    actor,
    status,
  }: { request: RefundRequestRow; actor: StaffActor; status: 'approved' | 'refused' },
): Promise<void> {
  await tx
    .update(refundRequests)
    .set({ status, decidedBy: actor.staffId, updatedAt: clock.now() })
    .where(eq(refundRequests.id, request.id));
}

async function findCardNumber(
  db: Database,
  { tripCardId }: Pick<RefundRequestRow, 'tripCardId'>,
): Promise<string | null> {
  if (tripCardId === null) return null;
  const [card] = await db
    .select({ number: tripCards.number })
    .from(tripCards)
    .where(eq(tripCards.id, tripCardId));
  return card?.number ?? null;
}
