/**
 * The accounts of the general ledger. `card`: what the card provider owes. `bank`: where its payouts and transfers arrive.
 * `exchange`: what it exchanged between the currencies of payments and payouts. `terminal`: what the outside card terminal's bank
 * owes. `invoiced`: what recipients of invoices owe. `stored_value`: what trip cards and passes are worth. `dispute`: what
 * payers' banks took back. `corrections`: of balances of trip cards. `breakage`: revenue from trips of passes that are never
 * used.
 */
export const ACCOUNTS = [
  'receivables',
  'advance_payments',
  'revenue',
  'tax',
  'card',
  'bank',
  'provider_fees',
  'exchange',
  'cash',
  'terminal',
  'invoiced',
  'dispute',
  'stored_value',
  'corrections',
  'breakage',
] as const;
export type Account = (typeof ACCOUNTS)[number];
