/** What passengers are told by a push: the kinds of mails about a change that was not theirs. */
export const PUSH_KINDS = [
  'sailing-changed',
  'sailing-canceled',
  'sailing-delayed',
  'sailing-late',
  'sailing-on-time',
  'sailing-overbooked',
  'rebooking-offer-changed',
  'sailing-kept-moved',
  'order-rebooked',
  'order-refunded-unanswered',
  'order-tickets-reissued',
  'open-ticket-ends',
] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** What passengers are told by a text message, shortly before their boat leaves. */
export const SMS_KINDS = [
  'sailing-changed',
  'sailing-canceled',
  'sailing-delayed',
  'sailing-late',
  // Passengers who were told of a delay would come too late.
  'sailing-on-time',
] as const satisfies readonly PushKind[];
export type SmsKind = (typeof SMS_KINDS)[number];
