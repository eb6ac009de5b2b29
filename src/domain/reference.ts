/** No 0/O, 1/I/L: what is read aloud over an engine is written down right. 31 characters, a prime number. */
export const REFERENCE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

const BODY_LENGTH = 7;
const BASE = REFERENCE_ALPHABET.length;

/**
 * A new code for people, e.g. `K7M4-QXPA`: seven random characters and a check character.
 * @param randomIndex gives an evenly distributed integer from 0 to below its argument
 */
export function createReference(randomIndex: (below: number) => number, separator: '-' | ' ' = '-'): string {
  let body = '';
  for (let index = 0; index < BODY_LENGTH; index += 1) body += REFERENCE_ALPHABET.charAt(randomIndex(BASE));
  return layOut(body + checkCharacter(body), separator);
}

/**
 * Reads a code however it was typed (case, spaces and dashes do not matter).
 * @returns the code as shown, or null when it cannot be one: the check character finds every single wrong
 * character and every two swapped ones
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

/** Positions weigh 1 to 7, all different below a prime base: no single slip or swap keeps the sum. */
function checkCharacter(body: string): string {
  const sum = [...body].reduce(
    (total, character, index) => total + REFERENCE_ALPHABET.indexOf(character) * (index + 1),
    0,
  );
  return REFERENCE_ALPHABET.charAt(sum % BASE);
}
