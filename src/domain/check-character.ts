/**
 * Codes people read aloud and type: letters and digits that are not mistaken for one another, with a check
 * character at the end. The alphabet has 31 characters, a prime, so weighting each place with a number of
 * its own catches every single wrong character and every swap of two.
 */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

/**
 * The character that goes behind `body`.
 * @throws {RangeError} when the body is empty, longer than 29, or has a character outside the alphabet
 */
export function checkCharacter(body: string): string {
  if (body.length === 0 || body.length > CODE_ALPHABET.length - 2) throw new RangeError('Wrong length.');
  let sum = 0;
  for (const [index, character] of [...body].entries()) {
    const value = CODE_ALPHABET.indexOf(character);
    if (value < 0) throw new RangeError('A character outside the alphabet.');
    // The check character itself has weight 1, so the body's weights start at 2.
    sum += value * (index + 2);
  }
  const size = CODE_ALPHABET.length;
  return CODE_ALPHABET.charAt((size - (sum % size)) % size);
}

/** The body with its check character behind it. */
export function withCheckCharacter(body: string): string {
  return body + checkCharacter(body);
}

/** Whether the last character fits the ones before it. Expects what `normalizeCode` returns. */
export function isCheckedCode(code: string): boolean {
  if (code.length < 2 || code.length > CODE_ALPHABET.length - 1) return false;
  if ([...code].some((character) => !CODE_ALPHABET.includes(character))) return false;
  return checkCharacter(code.slice(0, -1)) === code.slice(-1);
}

/** What somebody typed, as it is kept: upper case, without spaces and dashes. */
export function normalizeCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}

/**
 * A new code: `length` random characters and the check character.
 * @param random a whole number from 0 to `below` − 1, each equally likely
 */
export function randomCode(length: number, random: (below: number) => number): string {
  let body = '';
  for (let index = 0; index < length; index += 1) body += CODE_ALPHABET.charAt(random(CODE_ALPHABET.length));
  return withCheckCharacter(body);
}
