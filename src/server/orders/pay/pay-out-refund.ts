import { asc, eq } from 'drizzle-orm';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { orders, type RefundRow, refunds } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { lockOrder } from '../confirm-order.ts';
import { storeRefunded } from './order-refunds.ts';

/** A refund cannot be noted as paid out; the message is for the operator. */
export class PayoutRefused extends Error {
  override readonly name = 'PayoutRefused';
}

/** A refund of money that staff took, which the office has not paid out yet. */
export type DueRefund = Pick<RefundRow, 'id' | 'amount' | 'reason' | 'insertedAt'> & {
  reference: string;
  currency: string;
};

/** The refunds that the office has to pay out, oldest first. */
export function listDueRefunds(db: Database): Promise<DueRefund[]> {
  return db
    .select({
      ...{ id: refunds.id, amount: refunds.amount, reason: refunds.reason, insertedAt: refunds.insertedAt },
      ...{ reference: orders.reference, currency: orders.currency },
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .where(eq(refunds.status, 'awaiting_payout'))
    .orderBy(asc(refunds.insertedAt), asc(refunds.id));
}

/**
 * Notes that the office has paid a refund out, once: a repetition changes nothing.
 * @param input terminalReference: of the receipt, if an outside card terminal refunded it; bankReference: of the bank
 *   transfer that paid it; neither: in cash
 * @throws {PayoutRefused}
 */
export async function payOutRefund(
  context: Pick<Context, 'db' | 'clock'>,
  {
    refundId,
    actor,
    terminalReference,
    bankReference = null,
  }: {
    refundId: string;
    actor: AuditActor;
    terminalReference: string | null;
    bankReference?: string | null;
  },
): Promise<RefundRow> {
  return inTransaction(context.db, async (tx) => {
    const [match] = await tx.select().from(refunds).where(eq(refunds.id, refundId));
    const order = match && (await lockOrder(tx, match.orderId));
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('no key update');
    if (!order || !refund) throw new PayoutRefused('There is no refund with this id.');
    const isPaidOut = refund.status === 'succeeded' && refund.providerReference === null;
    if (isPaidOut && refund.tripCardId === null) return refund;
    if (refund.status !== 'awaiting_payout') {
      throw new PayoutRefused('This refund does not wait for the office: it goes back to a card.');
    }
    const now = context.clock.now();
    const paidOut = {
      ...{ status: 'succeeded' as const, terminalReference, bankReference, updatedAt: now },
      ...(actor.kind === 'staff' ? { staffId: actor.staffId, staffDevice: actor.device } : {}),
    };
    await tx.update(refunds).set(paidOut).where(eq(refunds.id, refundId));
    await storeRefunded(tx, context, order);
    await recordAudit(tx, context, {
      ...{ actor, action: 'refund_paid_out', objectKind: 'order', objectId: refund.orderId },
      ...{ before: {}, reason: null },
      after: {
        method: bankReference !== null ? 'bank' : terminalReference !== null ? 'terminal' : 'cash',
        amount: refund.amount,
      },
    });
    return { ...refund, ...paidOut };
  });
}
