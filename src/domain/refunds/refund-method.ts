import type { PaymentMethod, RefundMethod } from '#contract/orders/statuses.ts';

/** Whether staff took the money in person, so that a refund is paid out in person too. */
export function isTakenByStaff(method: RefundMethod): boolean {
  return method === 'cash' || method === 'terminal';
}

/** Whether staff pay out a refund: of money that they took, or of what was transferred for an invoice. */
export function isPaidOutByStaff(method: PaymentMethod): boolean {
  return isTakenByStaff(method) || method === 'invoice';
}

/** Where a refund of a payment goes: to a trip card, off an invoice, or to where the payment came from. */
export function getRefundMethod(
  { tripCardId, invoiceId }: { tripCardId: string | null; invoiceId: string | null },
  { method }: { method: PaymentMethod },
): RefundMethod {
  if (tripCardId !== null) return 'trip_card';
  if (invoiceId !== null) return 'invoice';
  return method === 'invoice' ? 'bank' : method;
}
