/**
 * What needs a person. `refund_asked`: a person asked for a refund that another one has to approve. `refund_due`: staff took
 * the money, so the office pays it out. `refund_returned`: the bank sent it back. `refund_overdue`: it was due at the deadline
 * of an offer. `payment_doubtful`: its outcome is unknown. `mail_refused`: it could not be delivered. `choice_open`: the
 * passengers have not answered yet. `vehicle_unpaid`: a gate without a connection measured that it is larger than booked;
 * without an amount no fare covers it. `invoice_overdue`: of an invoice, with what is owed; for those who manage invoices.
 */
export const WORK_KINDS = [
  'refund_asked',
  'refund_due',
  'refund_returned',
  'refund_overdue',
  'payment_doubtful',
  'payment_disputed',
  'mail_refused',
  'choice_open',
  'vehicle_unpaid',
  'invoice_overdue',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const FARE_WORK_KINDS = ['fare_owed', 'fare_twice'] as const;
export const PAYOUT_WORK_KINDS = ['payout_failed', 'payout_unmatched'] as const;
export const WORK_LIST_KINDS = [...WORK_KINDS, ...FARE_WORK_KINDS, ...PAYOUT_WORK_KINDS] as const;
export type WorkListKind = (typeof WORK_LIST_KINDS)[number];
