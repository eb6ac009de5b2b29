import { apportion } from '../fares/money.ts';
import { getChargeRules } from '../trip-cards/card-charges.ts';

/** A payment, and what of it has not been given back yet. */
export type RefundablePayment = { id: string; left: number };

/** `coverage`: what trips of a pass paid for, which is given back in trips. */
type PaidPayment = { id: string; amount: number; status: string; coverage?: readonly object[] | null };
type PaymentRefund = {
  id: string;
  paymentId: string;
  amount: number;
  reason: string;
  status: string;
  retryOfId: string | null;
};

/**
 * The remainder of the payments of an order that count as paid, in money. A failed refund is still owed, so its amount is not
 * available for another one.
 */
export function listRefundablePayments(
  payments: readonly PaidPayment[],
  refunds: readonly PaymentRefund[],
): RefundablePayment[] {
  const owed = new Set(listFailedRefunds(refunds).map(({ id }) => id));
  return payments.flatMap(({ id, amount, status, coverage }) => {
    const own = refunds.filter(({ paymentId }) => paymentId === id);
    if (coverage || status !== 'succeeded' || own.some(({ reason }) => reason === 'duplicate')) return [];
    const given = own.filter((refund) => refund.status !== 'failed' || owed.has(refund.id));
    const left = given.reduce((rest, refund) => rest - refund.amount, amount);
    return left > 0 ? [{ id, left }] : [];
  });
}

/** The failed refunds that were not repeated yet. */
export function listFailedRefunds<Refund extends Pick<PaymentRefund, 'id' | 'status' | 'retryOfId'>>(
  refunds: readonly Refund[],
): Refund[] {
  const repeated = new Set(refunds.map(({ retryOfId }) => retryOfId));
  return refunds.filter(({ id, status }) => status === 'failed' && !repeated.has(id));
}

/**
 * Splits a refund over the payments in proportion to the unrefunded amount of each, in amounts that a payment card can be
 * refunded. No payment gets more than is left of it.
 * @returns the parts above zero, in the order of the payments
 */
export function splitRefund(
  refund: number,
  payments: readonly RefundablePayment[],
  currency: string,
): { id: string; amount: number }[] {
  const { step } = getChargeRules(currency);
  const lefts = payments.map(({ left }) => Math.trunc(left / step));
  const available = lefts.reduce((sum, left) => sum + left, 0);
  const parts = apportion(Math.min(Math.trunc(refund / step), available), lefts);
  return payments
    .map(({ id }, index) => ({ id, amount: step * (parts[index] ?? 0) }))
    .filter(({ amount }) => amount > 0);
}
