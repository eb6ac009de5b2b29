import type { Order } from '#web/platform/api/types.ts';

/**
 * `unpaid` waits for the customer, `processing` for the bank, `no-room` got money back, `over` never came about;
 * everything with tickets, cancelled ones included, is `booked`.
 */
export type OrderStage = 'unpaid' | 'processing' | 'booked' | 'no-room' | 'over';

export function orderStage(order: Order): OrderStage {
  switch (order.status) {
    case 'held':
    case 'awaiting_payment':
      return order.paymentStatus === 'processing' || order.paymentStatus === 'paid' ? 'processing' : 'unpaid';
    case 'expired':
    case 'cancelled':
      if (order.confirmedAt !== null) return 'booked';
      return order.paid > 0 || order.refunds.length > 0 ? 'no-room' : 'over';
    default:
      return 'booked';
  }
}
