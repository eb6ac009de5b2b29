import { getNumberFormat } from '#messages/intl.ts';
import { getCurrencyExponent, toDecimal } from '../fares/money.ts';

/**
 * The amount formatted for people, such as "$12.75" or "HUF 1,950.00", with the digits of ISO 4217; those of `Intl`
 * depend on the version of CLDR.
 * @param amount in minor units
 * @param language the operator's or the order's
 */
export function formatMoney(amount: number, currency: string, language: string): string {
  return format(amount, currency, language, 'auto');
}

/** The same without decimals if all are zero: "$20", "$12.75". */
export function formatShortMoney(amount: number, currency: string, language: string): string {
  return format(amount, currency, language, 'stripIfInteger');
}

function format(
  amount: number,
  currency: string,
  language: string,
  trailingZeroDisplay: 'auto' | 'stripIfInteger',
): string {
  const exponent = getCurrencyExponent(currency);
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
    trailingZeroDisplay,
  } as const;
  return getNumberFormat(language, options).format(toDecimal(amount, currency) as Intl.StringNumericLiteral);
}
