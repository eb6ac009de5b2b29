const NO_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/**
 * Decimal digits of a currency's minor unit in ISO 4217: USD 2, JPY 0, KWD 3. `Intl` reports those of CLDR, which differ
 * (HUF, RSD) and change between its versions.
 */
export function getCurrencyExponent(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** The amount as an exact decimal number: 1275 USD is "12.75", 1275 JPY is "1275". */
export function toDecimal(amount: number, currency: string): string {
  const exponent = getCurrencyExponent(currency);
  const sign = amount < 0 ? '-' : '';
  const digits = String(Math.abs(amount)).padStart(exponent + 1, '0');
  if (exponent === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Parses a typed decimal number without grouping, such as "12.75" or "-3", into minor units.
 * @returns null if it is not a number, or has more decimals than the currency
 */
export function parseDecimal(text: string, currency: string): number | null {
  const exponent = getCurrencyExponent(currency);
  const [, sign, units, fraction = ''] = /^([+-]?)(\d{1,6})(?:\.(\d+))?$/.exec(text) ?? [];
  if (units === undefined || fraction.length > exponent) return null;
  const amount = Number(units + fraction.padEnd(exponent, '0'));
  return sign === '-' && amount !== 0 ? -amount : amount;
}

/**
 * `amount × numerator ÷ denominator` in whole minor units, half to even, so that many roundings do not accumulate in
 * one direction. Computed exactly in integers.
 */
export function scaleHalfEven(amount: number, numerator: number, denominator: number): number {
  const product = BigInt(amount) * BigInt(numerator);
  const divisor = BigInt(denominator);
  const isNegative = product < 0n;
  const size = isNegative ? -product : product;
  const whole = size / divisor;
  const twiceRest = (size % divisor) * 2n;
  const roundsUp = twiceRest > divisor || (twiceRest === divisor && whole % 2n === 1n);
  const rounded = Number(roundsUp ? whole + 1n : whole);
  return isNegative && rounded !== 0 ? -rounded : rounded;
}

/** The tax contained in a tax-inclusive amount. `taxBp` in basis points. */
export function getContainedTax(amount: number, taxBp: number): number {
  return scaleHalfEven(amount, taxBp, 10_000 + taxBp);
}

/**
 * Splits an amount in proportion to weights so that the parts add up to it exactly. The rounding remainder goes to the
 * largest fractions, earlier parts first.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(total)));
  const rests = exact.map((product) => product % BigInt(total));
  let left = amount - parts.reduce((sum, part) => sum + part, 0);
  const order = rests.map((rest, index) => ({ rest, index }));
  order.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  for (const { index } of order) {
    if (left === 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
