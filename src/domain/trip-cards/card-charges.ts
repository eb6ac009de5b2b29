import { AMOUNT_LIMIT } from '#contract/limits.ts';
import { findCardCurrency, LARGEST_CHARGE } from '#contract/payments/card-currencies.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { getCurrencyExponent } from '../fares/money.ts';

/** Limits of a payment card charge in a currency, in our minor units. */
export type ChargeRules = {
  /** Only multiples of this can be charged: 10 for KWD, whose last digit is 0; 100 for MGA, charged in whole ariary. */
  step: number;
  smallest: number;
  largest: number;
};

/** For a currency the provider does not support: it is never charged, so amounts are not restricted. */
const UNRESTRICTED: ChargeRules = { step: 1, smallest: 1, largest: AMOUNT_LIMIT };

/** @param currency ISO 4217, upper case */
export function getChargeRules(currency: string): ChargeRules {
  const card = findCardCurrency(currency);
  if (!card) return UNRESTRICTED;
  const providerUnit = 10 ** (getCurrencyExponent(currency) - card.digits);
  const step = Math.max(1, Math.round(card.step * providerUnit));
  const largest = Math.min(AMOUNT_LIMIT, Math.floor(LARGEST_CHARGE * providerUnit));
  return {
    step,
    smallest: Math.round(card.smallest * providerUnit),
    largest: largest - (largest % step),
  };
}

/**
 * The largest part of a total that a trip card can pay such that a payment card can be charged the rest; 0 if there is
 * none.
 * @param spendable available on the trip card, in minor units
 */
export function getMaxTripCardPart(total: number, spendable: number, currency: string): number {
  const { step, smallest } = getChargeRules(currency);
  const part = Math.min(spendable, total - smallest);
  return Math.max(0, part - (part % step));
}

/** Limits of a top-up: the operator's setting, restricted to amounts a payment card can be charged. */
export type TopUpLimits = WebSettings['top_up'] & { step: number };

/** @param setting the operator's setting, in minor units */
export function getTopUpLimits(setting: WebSettings['top_up'], currency: string): TopUpLimits {
  const { step, smallest, largest } = getChargeRules(currency);
  const min = Math.max(roundUp(setting.min, step), smallest);
  // Never below the minimum: the operator's range may lie between two chargeable amounts.
  const max = Math.max(Math.min(setting.max - (setting.max % step), largest), min);
  const limits = { min, max, step };
  return { ...limits, presets: setting.presets.filter((preset) => isTopUpAmount(preset, limits)) };
}

export function isTopUpAmount(
  amount: number,
  { min, max, step }: Pick<TopUpLimits, 'min' | 'max' | 'step'>,
): boolean {
  return amount >= min && amount <= max && amount % step === 0;
}

function roundUp(amount: number, step: number): number {
  return Math.ceil(amount / step) * step;
}
