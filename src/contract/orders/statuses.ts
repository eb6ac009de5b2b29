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

/** Why an order needs its buyer's or the operator's attention. */
export const ATTENTION_REASONS = [
  'sailing_canceled',
  'sailing_changed',
  'no_room',
  'payment_in_doubt',
] as const;

/** Why passengers may travel on another sailing without a fee, or get the full refund. */
export const REBOOKING_REASONS = ['sailing_canceled', 'sailing_delayed', 'no_room'] as const;
