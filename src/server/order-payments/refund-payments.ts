import { listFailedRefunds, listRefundablePayments, splitRefund } from '#domain/refunds/split-refund.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import type { OrderRow, PaymentRow, RefundRow } from '../database/schema/sales.ts';
import { lockLiveCard } from '../trip-cards/queries.ts';
import { refundIn } from '../trip-cards/spend.ts';
import { insertRefund } from './order-refunds.ts';
import type { SoldOrder } from './plan-cancellation.ts';

export type RefundContext = Pick<Context, 'db' | 'clock' | 'vault'>;

/** The account of the trip card that paid was deleted, so money on it could not be used. */
export class TripCardGone extends Error {
  override readonly name = 'TripCardGone';
}

/**
 * Gives an amount of an order back, in the proportion of its payments. Trip cards are credited in this transaction; jobs
 * request the others from the card provider.
 * @param destination a trip card; null: to where the payments came from
 * @throws {TripCardGone}
 */
export async function refundAmount(
  tx: Database,
  context: RefundContext,
  { sold, ...input }: RefundInput & { sold: SoldOrder },
): Promise<RefundRow[]> {
  const { order, payments, refunds } = sold;
  const parts = splitRefund(input.amount, listRefundablePayments(payments, refunds), order.currency);
  const written: RefundRow[] = [];
  for (const { id, amount } of parts) {
    const payment = payments.find((each) => each.id === id);
    if (payment) written.push(await refundPayment(tx, context, { ...input, order, payment, amount }));
  }
  return written;
}

/** Repeats the failed refunds, as far as their payments have not been given back otherwise. */
export async function repeatFailedRefunds(
  tx: Database,
  context: RefundContext,
  { sold: { order, payments, refunds }, destination }: Pick<RefundInput, 'destination'> & { sold: SoldOrder },
): Promise<RefundRow[]> {
  const written: RefundRow[] = [];
  for (const failed of listFailedRefunds(refunds)) {
    const payment = payments.find(({ id }) => id === failed.paymentId);
    if (!payment) continue;
    const given = [...refunds, ...written].filter(
      ({ paymentId, status }) => paymentId === payment.id && status !== 'failed',
    );
    const left = given.reduce((rest, { amount }) => rest - amount, payment.amount);
    const amount = Math.min(failed.amount, left);
    if (amount <= 0) continue;
    const { reason, cancellationId, id: retryOfId } = failed;
    const refund = { order, payment, amount, reason, cancellationId, retryOfId, destination };
    written.push(await refundPayment(tx, context, refund));
  }
  return written;
}

type RefundInput = Pick<RefundRow, 'amount' | 'reason' | 'cancellationId'> & {
  retryOfId?: string;
  destination: string | null;
};

async function refundPayment(
  tx: Database,
  context: RefundContext,
  { order, destination, ...input }: RefundInput & { order: OrderRow; payment: PaymentRow },
): Promise<RefundRow> {
  const { payment, amount } = input;
  const id = newId('rfd');
  if (destination === null && payment.tripCardId !== null) await requireHolder(tx, payment.tripCardId);
  const cardId = destination ?? payment.tripCardId;
  const description = `Refund of ${order.reference}`;
  const entry =
    cardId === null
      ? null
      : await refundIn(tx, context, { cardId, amount, orderId: order.id, description, key: `refund:${id}` });
  const status = entry ? 'succeeded' : 'requested';
  return insertRefund(tx, context, { ...input, id, status, tripCardId: entry?.tripCardId ?? null });
}

/** A virtual card cannot be used after its owner's account was deleted. */
async function requireHolder(tx: Database, cardId: string): Promise<void> {
  const { customerId, pinHash } = await lockLiveCard(tx, cardId);
  if (customerId === null && pinHash === null) throw new TripCardGone();
}
