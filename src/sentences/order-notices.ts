import type { OrderNotice } from '#contract/orders/statuses.ts';
import { type Message, message } from '#messages/translate.ts';

export const ORDER_NOTICE_TEXTS: Readonly<Record<OrderNotice, Message>> = {
  paid_late: message('Your payment came late, but we still had room for you.'),
  no_room: message(
    'Your payment came too late: there was no room left. Your money is on its way back to your card.',
  ),
  no_value: message(
    'Your payment came too late: the rest was no longer on your trip card. Your money is on its way back to your card.',
  ),
  boat_canceled: message(
    'A boat of this order was canceled before the order was paid. The order has ended, and you do not need to pay.',
  ),
  changed: message('This order was changed. The earlier tickets of the changed trip are no longer valid.'),
  partly_canceled: message('Some tickets of this order were canceled.'),
  canceled: message('This order was canceled.'),
  canceled_and_refunded: message('This order was canceled and refunded.'),
  canceled_and_partly_refunded: message('This order was canceled, and a part of what you paid was refunded.'),
  partly_refunded: message('We have refunded a part of this order.'),
  refund_repeated: message('Your money is on its way back.'),
  refund_failed: message(
    'Your card’s bank did not accept the refund. Please call us, and we will send it another way.',
  ),
};
