import type { PaymentMethod } from '#contract/orders/statuses.ts';

/** Whether staff took the money in person, so that a refund is paid out in person too. */
export function isTakenByStaff(method: PaymentMethod): boolean {
  return method === 'cash' || method === 'terminal';
}

/** Where a refund of a payment goes: to a trip card, or to where the payment came from. */
export function getRefundMethod(
  { tripCardId }: { tripCardId: string | null },
  { method }: { method: PaymentMethod },
): PaymentMethod {
  return tripCardId === null ? method : 'trip_card';
}
