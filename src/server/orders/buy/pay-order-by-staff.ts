import { eq } from 'drizzle-orm';
import { recordHeldBackSales, takeFromHeldBack } from '#server/capacity/sell-held-back.ts';
import type { Context } from '#server/context.ts';
import { orders, type PaymentRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { confirmOrder, isBoardingCodeTaken, lockOrder } from '../confirm-order.ts';
import { closeOpenPayment } from '../pay/open-payments.ts';
import { type Cashier, payByStaff, type StaffPayment } from '../pay/pay-by-staff.ts';
import { findOpenPayment } from '../pay/payment-records.ts';
import { expireHold } from './expire-holds.ts';
import { refuseClosed, requireHoldToPay, requireSailingsRun } from './open-payment.ts';

/** `heldBackIds`: of places held back for the buyer. */
type StaffPurchase = {
  orderId: string;
  payment: StaffPayment;
  cashier: Cashier;
  heldBackIds?: readonly string[];
};

/**
 * Confirms an order whose whole price staff take in person. A card payment of the order that was started before is closed.
 * @throws {ApiError} not_found, already_paid, order_closed, hold_expired, sailing_canceled, payment_in_progress,
 * payment_unavailable; of a trip card as `spendInPerson`
 */
export async function payOrderByStaff(
  context: Context,
  { orderId, payment, cashier, heldBackIds = [] }: StaffPurchase,
): Promise<PaymentRow> {
  const [existing] = await context.db
    .select({ holdId: orders.holdId })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!existing) throw notFound();
  await closeOpenPayment(context, orderId);
  await expireHold(context, existing.holdId);
  const paid = await inTransaction(
    context.db,
    async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (!order) throw notFound();
      refuseClosed(order);
      await requireHoldToPay(tx, order, context.clock.now());
      await requireSailingsRun(tx, order.holdId);
      if (await findOpenPayment(tx, orderId)) throw new ApiError('payment_in_progress');
      const sales = await takeFromHeldBack(tx, { ids: heldBackIds, holdId: order.holdId });
      if (!(await confirmOrder(tx, context, order))) throw new ApiError('hold_expired');
      const paid = await payByStaff(tx, context, {
        ...{ order, amount: order.total, changeId: null, payment, cashier },
      });
      await recordHeldBackSales(tx, context, { sales, actor: cashier });
      return paid;
    },
    isBoardingCodeTaken,
  );
  wakeMailWorker(context.jobs);
  await reviewSale(context, { orderId, holdId: existing.holdId });
  return paid;
}
