export const ORDER_STATUSES = [
  'held',
  'awaiting_payment',
  'confirmed',
  'partly_canceled',
  'canceled',
  'expired',
  'completed',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'none',
  'requires_action',
  'processing',
  'paid',
  'failed',
  'partly_refunded',
  'refunded',
  'disputed',
] as const;
