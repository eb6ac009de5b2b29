import { findCardCurrency } from '#contract/payments/card-currencies.ts';
import { getCurrencyExponent } from '#domain/fares/money.ts';

/** An amount in our minor units, with its ISO 4217 code. */
export type Money = { amount: number; currency: string };
/** The same in the provider's units, which differ in some currencies; the code is in lower case. */
export type ProviderMoney = { amount: number; currency: string };

/** @throws {RangeError} for a currency or a fraction that the provider cannot charge */
export function toProviderMoney({ amount, currency }: Money): ProviderMoney {
  const card = findCardCurrency(currency);
  if (!card) throw new RangeError(`The card provider does not take ${currency}.`);
  const converted = shiftPoint(amount, card.digits - getCurrencyExponent(currency));
  if (!Number.isInteger(converted) || converted % card.step !== 0) {
    throw new RangeError(`The card provider cannot charge ${amount} minor units of ${currency}.`);
  }
  return { amount: converted, currency: currency.toLowerCase() };
}

/** Converts to our minor units; a fraction smaller than one is cut off. */
export function fromProviderMoney({ amount, currency: code }: ProviderMoney): Money {
  const currency = code.toUpperCase();
  const digits = findCardCurrency(currency)?.digits ?? getCurrencyExponent(currency);
  return { amount: Math.trunc(shiftPoint(amount, getCurrencyExponent(currency) - digits)), currency };
}

export function isSameMoney(theirs: ProviderMoney, ours: Money): boolean {
  if (theirs.currency.toUpperCase() !== ours.currency || !findCardCurrency(ours.currency)) return false;
  return toProviderMoney(ours).amount === theirs.amount;
}

/** Divides by a power of ten instead of multiplying by a fraction, so that whole results are exact. */
function shiftPoint(amount: number, places: number): number {
  return places < 0 ? amount / 10 ** -places : amount * 10 ** places;
}
