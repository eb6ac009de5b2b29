import { getCurrencyExponent, toDecimal } from '../fares/money.ts';
import { chooseTextLocale } from '../text-locale.ts';

const formats = new Map<string, Intl.NumberFormat>();

/**
 * The amount formatted for people, such as "$12.75" or "HUF 1,950.00".
 * @param amount in minor units
 * @param language the operator's or the order's
 */
export function formatMoney(amount: number, currency: string, language: string): string {
  return getFormat(currency, chooseTextLocale(language)).format(
    toDecimal(amount, currency) as Intl.StringNumericLiteral,
  );
}

/** Always with the digits of ISO 4217: the default ones depend on the version of CLDR. Cached, because it is slow. */
function getFormat(currency: string, locale: string): Intl.NumberFormat {
  const key = `${currency} ${locale}`;
  const exponent = getCurrencyExponent(currency);
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: exponent,
      maximumFractionDigits: exponent,
    });
  if (formats.size < 100) formats.set(key, format);
  return format;
}
