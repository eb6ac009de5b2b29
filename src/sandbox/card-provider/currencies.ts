import { cardCurrencyCodes, findCardCurrency, LARGEST_CHARGE } from '#contract/payments/card-currencies.ts';
import { invalid } from './errors.ts';
import { type Parameters, readInteger, requireText } from './parameters.ts';

/** A supported lower-case ISO code; throws the provider's refusal for anything else. */
export function requireCurrency(parameters: Parameters): string {
  const currency = requireText(parameters, 'currency').toLowerCase();
  if (!findCardCurrency(currency.toUpperCase())) {
    const supported = cardCurrencyCodes.map((code) => code.toLowerCase()).join(', ');
    throw invalid(
      `Invalid currency: ${currency.slice(0, 20)}. Stripe currently supports these currencies: ${supported}`,
      'currency',
    );
  }
  return currency;
}

/** In the provider's units, from the currency's smallest charge to the largest. */
export function requireAmount(parameters: Parameters, currency: string): number {
  requireText(parameters, 'amount');
  const amount = readInteger(parameters, 'amount') ?? 0;
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  }
  if (amount > LARGEST_CHARGE) {
    const message = `Amount must be no more than ${formatMoney(LARGEST_CHARGE, currency)}`;
    throw invalid(message, 'amount', 'amount_too_large');
  }
  const smallest = findCardCurrency(currency.toUpperCase())?.smallest ?? 1;
  if (amount < smallest) {
    const message = `Amount must be at least ${formatMoney(smallest, currency)}`;
    throw invalid(message, 'amount', 'amount_too_small');
  }
  refuseFraction(amount, currency);
  return amount;
}

/** Refuses an amount that the currency cannot represent: half a króna, a thousandth of a dinar. */
export function refuseFraction(amount: number, currency: string): void {
  const step = findCardCurrency(currency.toUpperCase())?.step ?? 1;
  if (amount % step === 0) return;
  const message = `Invalid amount: amounts in ${currency} must be divisible by ${step}`;
  throw invalid(message, 'amount', 'parameter_invalid_integer');
}

/** Formatted for people: `€12.30`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = findCardCurrency(currency.toUpperCase())?.digits ?? 2;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}
