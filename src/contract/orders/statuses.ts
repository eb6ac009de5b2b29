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

/**
 * How an order is paid. `cash` and `terminal`, a card terminal of another system, are taken and noted by staff. `invoice`:
 * sold by staff to a recipient who pays later by bank transfer; the invoice has what is still owed.
 */
export const PAYMENT_METHODS = ['card', 'trip_card', 'cash', 'terminal', 'invoice'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * Where a refund goes. `invoice`: it is taken off what is owed on the invoice. `bank`: what was transferred for an invoice
 * is paid back.
 */
export const REFUND_METHODS = [...PAYMENT_METHODS, 'bank'] as const;
export type RefundMethod = (typeof REFUND_METHODS)[number];

/** `awaiting_payout`: of money that staff took; the office pays it out and notes it. */
export const REFUND_STATUSES = ['requested', 'pending', 'awaiting_payout', 'succeeded', 'failed'] as const;

/** Why an order needs its buyer's or the operator's attention. */
export const ATTENTION_REASONS = [
  'sailing_canceled',
  'sailing_changed',
  'no_room',
  'payment_in_doubt',
] as const;

/** Why passengers may travel on another sailing without a fee, or get the full refund. */
export const REBOOKING_REASONS = ['sailing_canceled', 'sailing_delayed', 'no_room'] as const;

/** What happened to an order that its buyer is told on its page. */
export const ORDER_NOTICES = [
  'paid_late',
  'no_room',
  'no_value',
  'boat_canceled',
  'changed',
  'partly_canceled',
  'canceled',
  'canceled_and_refunded',
  'canceled_and_partly_refunded',
  'partly_refunded',
  'refund_repeated',
  'refund_failed',
] as const;
export type OrderNotice = (typeof ORDER_NOTICES)[number];
