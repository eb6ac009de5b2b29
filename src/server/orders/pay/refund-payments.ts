import type { TripRefund } from '#domain/passes/refund-trips.ts';
import { isPaidOutByStaff } from '#domain/refunds/refund-method.ts';
import { listFailedRefunds, listRefundablePayments, splitRefund } from '#domain/refunds/split-refund.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow, PaymentRow, RefundRow } from '#server/database/schema/sales.ts';
import { creditInvoice } from '#server/invoices/ledger.ts';
import { lockLiveCard } from '#server/trip-cards/queries.ts';
import { refundIn } from '#server/trip-cards/spend.ts';
import type { StoredOrder } from '../queries.ts';
import { insertRefund } from './order-refunds.ts';

export type RefundContext = Pick<Context, 'db' | 'clock' | 'vault'>;

/** The account of the trip card that paid was deleted, so money on it could not be used. */
export class TripCardGone extends Error {
  override readonly name = 'TripCardGone';
}

/**
 * Gives an amount of an order back, in the proportion of its payments. Trip cards are credited in this transaction; jobs
 * request the others from the card provider, and the office pays out what staff took.
 * @param input trips: the part of the amount that goes back to a pass, in trips; destination: a trip card for the rest;
 * null: to where the payments came from
 * @throws {TripCardGone}
 */
export async function refundAmount(
  tx: Database,
  context: RefundContext,
  { sold, trips, ...input }: RefundInput & { sold: StoredOrder; trips: readonly TripRefund[] },
): Promise<RefundRow[]> {
  const { order, payments, refunds } = sold;
  const written: RefundRow[] = [];
  for (const part of trips) {
    const payment = payments.find(({ id }) => id === part.paymentId);
    if (payment) written.push(await returnTrips(tx, context, { ...input, order, payment, part }));
  }
  const money = trips.reduce((rest, { amount }) => rest - amount, input.amount);
  const parts = splitRefund(money, listRefundablePayments(payments, refunds), order.currency);
  for (const { id, amount } of parts) {
    const payment = payments.find((each) => each.id === id);
    if (payment) written.push(...(await refundPayment(tx, context, { ...input, order, payment, amount })));
  }
  return written;
}

/** Repeats the failed refunds, as far as their payments have not been given back otherwise. */
export async function repeatFailedRefunds(
  tx: Database,
  context: RefundContext,
  {
    sold: { order, payments, refunds },
    destination,
    note,
  }: Pick<RefundInput, 'destination' | 'note'> & { sold: StoredOrder },
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
    const { reason, cancellationId, changeId, id: retryOfId } = failed;
    const refund = {
      ...{ order, payment, amount, reason, cancellationId, changeId, retryOfId },
      ...{ destination, note: note ?? failed.note },
    };
    written.push(...(await refundPayment(tx, context, refund)));
  }
  return written;
}

type PaymentRefund = RefundInput & { order: OrderRow; payment: PaymentRow };

type RefundInput = Pick<RefundRow, 'amount' | 'reason' | 'cancellationId'> & {
  changeId?: string | null;
  retryOfId?: string;
  /** Why the operator gives it back. */
  note?: string | null;
  destination: string | null;
};

/** What is still owed on an invoice is taken off it, and only the rest is given back. */
async function refundPayment(
  tx: Database,
  context: RefundContext,
  input: PaymentRefund,
): Promise<RefundRow[]> {
  const { invoiceId } = input.payment;
  const credited =
    invoiceId === null ? 0 : await creditInvoice(tx, context, { invoiceId, amount: input.amount });
  const rest = input.amount - credited;
  const { order: _, destination: __, ...refund } = input;
  return [
    ...(credited > 0
      ? [await insertRefund(tx, context, { ...refund, amount: credited, status: 'succeeded', invoiceId })]
      : []),
    ...(rest > 0 ? [await giveBack(tx, context, { ...input, amount: rest })] : []),
  ];
}

async function giveBack(
  tx: Database,
  context: RefundContext,
  { order, destination, ...input }: PaymentRefund,
): Promise<RefundRow> {
  const { payment, amount } = input;
  const id = newId('rfd');
  if (destination === null && payment.tripCardId !== null) await requireHolder(tx, payment.tripCardId);
  const cardId = destination ?? payment.tripCardId;
  const cause = { code: 'refund', reference: order.reference } as const;
  const entry =
    cardId === null
      ? null
      : await refundIn(tx, context, { cardId, amount, orderId: order.id, cause, key: `refund:${id}` });
  const status = entry ? 'succeeded' : isPaidOutByStaff(payment.method) ? 'awaiting_payout' : 'requested';
  return insertRefund(tx, context, { ...input, id, status, tripCardId: entry?.tripCardId ?? null });
}

/** Trips go back to the pass that paid, whatever the destination of money. */
async function returnTrips(
  tx: Database,
  context: RefundContext,
  {
    order,
    payment,
    part: { amount, trips },
    reason,
    note = null,
    cancellationId,
  }: RefundInput & { order: OrderRow; payment: PaymentRow; part: TripRefund },
): Promise<RefundRow> {
  const id = newId('rfd');
  const cardId = payment.tripCardId ?? '';
  await requireHolder(tx, cardId);
  const entry = {
    ...{ cardId, amount: trips.length, orderId: order.id },
    ...{ cause: { code: 'refund', reference: order.reference } as const, key: `refund:${id}` },
  };
  // Both boats of a journey are one trip, which went back with the first.
  const tripCardId =
    trips.length > 0 ? (await refundIn(tx, context, entry)).tripCardId : (await lockLiveCard(tx, cardId)).id;
  const status = 'succeeded' as const;
  return insertRefund(tx, context, {
    id,
    payment,
    amount,
    trips,
    reason,
    note,
    status,
    cancellationId,
    tripCardId,
  });
}

/** A virtual card cannot be used after its owner's account was deleted. */
async function requireHolder(tx: Database, cardId: string): Promise<void> {
  const { customerId, pinHash } = await lockLiveCard(tx, cardId);
  if (customerId === null && pinHash === null) throw new TripCardGone();
}
