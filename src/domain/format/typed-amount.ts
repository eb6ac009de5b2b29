import { getNumberFormat } from '#messages/intl.ts';
import { getCurrencyExponent, toDecimal } from '../fares/money.ts';

const MAX_AMOUNT = 99_999_999;

/** The value of a field: "12.50", "12,50". */
export function formatTypedAmount(amount: number, currency: string, language: string): string {
  return toDecimal(amount, currency).replace('.', getDecimalSeparator(currency, language));
}

/**
 * Reads an amount as people type it, in minor units: "12.50", "$1,200", "1 234,50 €". The language's separators come
 * first, because "1.200" is 1200 in German. Those of other languages count only with all decimals: keyboards of phones
 * offer the separator of the phone's region.
 * @returns null if it is not an amount in this currency, could be two, or is too large
 */
export function parseTypedAmount(text: string, currency: string, language: string): number | null {
  const exponent = getCurrencyExponent(currency);
  const bare = removeCurrency(tidy(text), currency, language);
  const decimalSeparator = getDecimalSeparator(currency, language);
  const own = splitAmount(bare, decimalSeparator);
  const foreign = splitAmount(bare, decimalSeparator === ',' ? '.' : ',');
  const isOwn = own !== null && own.decimals.length <= exponent;
  const match = isOwn || foreign?.decimals.length !== exponent ? own : foreign;
  if (match === null || match.decimals.length > exponent) return null;
  const amount = Number(match.whole + match.decimals.padEnd(exponent, '0'));
  return amount <= MAX_AMOUNT ? amount : null;
}

/** Groups are of three digits, or of two and at last three, as in India. */
function splitAmount(text: string, decimalSeparator: '.' | ','): { whole: string; decimals: string } | null {
  const match =
    decimalSeparator === '.'
      ? /^(\d{1,8}|[1-9]\d{0,2}([,' ])(?:\d{2,3}\2)*\d{3})(?:\.(\d*))?$/.exec(text)
      : /^(\d{1,8}|[1-9]\d{0,2}([.' ])(?:\d{2,3}\2)*\d{3})(?:,(\d*))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', , decimals = ''] = match;
  return { whole: whole.replaceAll(/\D/g, ''), decimals };
}

function getDecimalSeparator(currency: string, language: string): '.' | ',' {
  const parts = getNumberFormat(language, { style: 'currency', currency, minimumFractionDigits: 2 });
  return parts.formatToParts(0).some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

/** Without the currency's sign or code before or after the number; another currency's sign stays. */
function removeCurrency(text: string, currency: string, language: string): string {
  const lower = text.toLowerCase();
  const names = [language, 'en'].flatMap((each) =>
    DISPLAYS.map((currencyDisplay) => nameCurrency(currency, each, currencyDisplay)),
  );
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    if (lower.startsWith(name)) return text.slice(name.length).trim();
    if (lower.endsWith(name)) return text.slice(0, -name.length).trim();
  }
  return text;
}

const DISPLAYS = ['symbol', 'narrowSymbol', 'code'] as const;

function nameCurrency(
  currency: string,
  language: string,
  currencyDisplay: (typeof DISPLAYS)[number],
): string {
  const parts = getNumberFormat(language, { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return tidy(parts.find(({ type }) => type === 'currency')?.value ?? currency).toLowerCase();
}

/** One kind of space and of apostrophe, without invisible characters. */
function tidy(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll('’', "'")
    .trim();
}
