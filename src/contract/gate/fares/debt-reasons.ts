/** Why a fare that a gate let through is not paid. `not_accepted`: the rules do not yield it. */
export const FARE_DEBT_REASONS = [
  'insufficient_balance',
  'card_blocked',
  'unknown_card',
  'wrong_unit',
  'not_accepted',
] as const;
