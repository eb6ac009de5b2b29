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
