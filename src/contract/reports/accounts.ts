/**
 * The accounts of the general ledger. `card`: what the card provider owes. `terminal`: what the outside card terminal's bank
 * owes. `stored_value`: what trip cards and passes are worth. `dispute`: what payers' banks took back. `corrections`: of
 * balances of trip cards.
 */
export const ACCOUNTS = [
  'receivables',
  'advance_payments',
  'revenue',
  'tax',
  'card',
  'cash',
  'terminal',
  'dispute',
  'stored_value',
  'corrections',
] as const;
export type Account = (typeof ACCOUNTS)[number];
