import type { Order } from '#web/platform/api/types.ts';

export type PaymentPhase = 'open' | 'checking' | 'done' | 'lapsed';

export function findPhase({ status, paymentStatus }: Pick<Order, 'status' | 'paymentStatus'>): PaymentPhase {
  if (status === 'expired' || status === 'cancelled') {
    // An order canceled after it was paid is explained by the confirmation.
    return paymentStatus === 'none' || paymentStatus === 'failed' ? 'lapsed' : 'done';
  }
  if (status !== 'held' && status !== 'awaiting_payment') return 'done';
  return paymentStatus === 'processing' ? 'checking' : 'open';
}
