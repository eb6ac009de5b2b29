import { and, eq } from 'drizzle-orm';
import type { Payment } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import { payments } from '../database/schema/sales.ts';
import { notFound } from '../http/api-error.ts';
import { presentPayment } from '../orders/presenter.ts';
import { refreshPayment } from '../payments/settle-intent.ts';
import { orderSubject } from './order-subject.ts';

/**
 * A payment of an order; while its end is unknown the provider is asked.
 * @throws {ApiError} not_found
 */
export async function readPayment(
  context: Context,
  input: { orderId: string; paymentId: string },
): Promise<Payment> {
  const payment = await requirePayment(context, input);
  const isRefreshed = await refreshPayment(context, { subject: orderSubject, payment });
  return presentPayment(isRefreshed ? await requirePayment(context, input) : payment);
}

async function requirePayment(
  { db }: Pick<Context, 'db'>,
  { orderId, paymentId }: { orderId: string; paymentId: string },
) {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId)));
  if (!payment) throw notFound();
  return payment;
}
