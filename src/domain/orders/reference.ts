/** Without 0/O and 1/I/L, which are easily confused when read aloud. 31 characters, a prime number. */
export const REFERENCE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

const BODY_LENGTH = 7;
const BASE = REFERENCE_ALPHABET.length;

/**
 * A new human-readable code, such as `K7M4-QXPA`: seven random characters and a check character.
 * @param randomIndex returns an evenly distributed integer from 0 to below its argument
 */
export function createReference(randomIndex: (below: number) => number, separator: '-' | ' ' = '-'): string {
  let body = '';
  for (let index = 0; index < BODY_LENGTH; index += 1) body += REFERENCE_ALPHABET.charAt(randomIndex(BASE));
  return layOut(body + checkCharacter(body), separator);
}

/**
 * Normalizes a typed code; case, spaces and dashes are ignored.
 * @returns the code as displayed, or null if it is invalid: the check character detects every single wrong character
 * and every swap of two
 */
export function parseReference(text: string, separator: '-' | ' ' = '-'): string | null {
  const plain = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (plain.length !== BODY_LENGTH + 1) return null;
  if ([...plain].some((character) => !REFERENCE_ALPHABET.includes(character))) return null;
  if (checkCharacter(plain.slice(0, BODY_LENGTH)) !== plain.at(-1)) return null;
  return layOut(plain, separator);
}

function layOut(plain: string, separator: string): string {
  return `${plain.slice(0, 4)}${separator}${plain.slice(4)}`;
}

/** Positions have weights 1 to 7, all different below a prime base, so every single error or swap changes the sum. */
function checkCharacter(body: string): string {
  const sum = [...body].reduce(
    (total, character, index) => total + REFERENCE_ALPHABET.indexOf(character) * (index + 1),
    0,
  );
  return REFERENCE_ALPHABET.charAt(sum % BASE);
}
