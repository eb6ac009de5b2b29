import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import type { Row } from '#server/csv/table.ts';

/** The limit of the fares table's constraint, in minor units. */
const MAX_AMOUNT = 9_999_999;

/**
 * An amount that becomes part of a price, in minor units. A problem of the file if payment cards cannot be charged
 * exactly that.
 */
export function readMoney(row: Row, column: string, currency: string): number | null {
  const amount = row.amount(column, getCurrencyExponent(currency));
  if (amount === null) return null;
  if (amount > Math.min(MAX_AMOUNT, getChargeRules(currency).largest)) {
    row.problem(column, 'That is more than a fare may cost.');
    return null;
  }
  if (isChargeable(amount, currency)) return amount;
  row.problem(column, `Payment cards are charged ${currency} in steps of ${getMoneyStep(currency)}.`);
  return null;
}

/** Whether payment cards can be charged exactly this amount, in minor units. */
export function isChargeable(amount: number, currency: string): boolean {
  return amount % getChargeRules(currency).step === 0;
}

/** The step as decimal text, "0.010" for KWD. */
export function getMoneyStep(currency: string): string {
  return toDecimal(getChargeRules(currency).step, currency);
}
