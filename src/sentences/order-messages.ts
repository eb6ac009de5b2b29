import { type Message, message } from '#messages/translate.ts';

/** What mails and pushes about an order say in a few words, by their kinds. */
const TITLES: Readonly<Record<string, Message>> = {
  'order-confirmed': message('Your ferry tickets'),
  'order-confirmed-late': message('Your ferry tickets'),
  'order-refunded': message('Your money is on its way back'),
  'order-value-gone': message('Your money is on its way back'),
  'order-given-back': message('Your order is canceled'),
  'order-tickets-canceled': message('Some of your tickets are canceled'),
  'order-refunded-unanswered': message('Your canceled sailing is refunded'),
  'order-changed': message('Your order is changed'),
  'order-assistance-changed': message('Your request for assistance'),
  'order-address-changed': message('Another email address for your order'),
  'order-change-refused': message('Your change was not made'),
  'order-change-link': message('Pay for the change of your order'),
  'order-change-ended': message('Your change was not made'),
  'order-part-refunded': message('We have refunded a part of your order'),
  'order-refund-failed': message('Your money did not reach you'),
  'order-tickets-reissued': message('Your tickets have new codes'),
  'order-payment-link': message('Pay for your ferry tickets'),
  'order-payment-missed': message('We no longer keep your places'),
  'order-payment-canceled': message('Your sailing is canceled'),
  'order-link': message('Your order'),
  'sailing-changed': message('Your sailing has changed'),
  'sailing-canceled': message('Your sailing is canceled'),
  'sailing-delayed': message('Your sailing is late'),
  'sailing-late': message('Your sailing is late'),
  'sailing-on-time': message('Your sailing is on time again'),
  'sailing-overbooked': message('There may be no room on your sailing'),
  'order-rebooked': message('You travel on another sailing'),
  'open-ticket-kept': message('You keep an open ticket'),
  'open-ticket-ends': message('Your open ticket ends soon'),
  'rebooking-offer-changed': message('Your choice of sailings has changed'),
  'sailing-kept-moved': message('The sailing we keep for you has other times'),
};

/** Null for a kind of another release. */
export function findMessageTitle(kind: string): Message | null {
  return TITLES[kind] ?? null;
}
