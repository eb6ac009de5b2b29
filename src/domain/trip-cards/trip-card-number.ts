/** A first digit that no payment network uses, so that a trip card number in a payment field is detected. */
const PREFIX = '9';
const LENGTH = 16;

/**
 * A new card number: 16 digits, the last one the Luhn check digit.
 * @param randomIndex returns an evenly distributed integer from 0 to below its argument
 */
export function createTripCardNumber(randomIndex: (below: number) => number): string {
  let body = PREFIX;
  while (body.length < LENGTH - 1) body += String(randomIndex(10));
  return body + luhnDigit(body);
}

/** Normalizes a typed number; null if it is invalid. The check digit detects every single wrong digit. */
export function parseTripCardNumber(text: string): string | null {
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  if (!/^[0-9]{16}$/.test(digits)) return null;
  return luhnDigit(digits.slice(0, -1)) === digits.at(-1) ? digits : null;
}

/** Formats the number in groups of four. */
export function formatTripCardNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}

/** The check digit that makes the Luhn sum a multiple of ten (ISO/IEC 7812-1). */
function luhnDigit(body: string): string {
  const sum = [...body].toReversed().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
