import { PASSWORD_LENGTH } from '#contract/identity/sign-in/schemas.ts';

/** Minimum strength of a password, from 0 to 4. */
export const PASSWORD_SCORE = 3;

/** Guesses from which a password has the next strength. Eight random characters reach 3. */
const STRONGER_FROM = [1e3, 1e6, 1e8, 1e10] as const;

/** Estimating long passwords is slow; characters beyond this only make them stronger. */
const ESTIMATED_LENGTH = 100;
/** Shorter parts of a name occur in too many words to count against a password. */
const SHORTEST_WORD = 3;

/** Words an attacker of this account would try first. */
export type PasswordContext = { brand: string; email: string; name: string };

/**
 * Why the length is refused; null if it is allowed. Counted in code points of the NFC text, so that keyboard and script
 * do not matter.
 * @param minimum the operator's minimum, in code points
 */
export function checkPasswordLength(
  password: string,
  minimum: number,
): 'password_too_short' | 'password_too_long' | null {
  const length = [...password.normalize('NFC')].length;
  if (length < minimum) return 'password_too_short';
  return length > PASSWORD_LENGTH.max ? 'password_too_long' : null;
}

/** The part of a password whose strength is estimated: NFC, at most 100 code points. */
export function getEstimatedPart(password: string): string {
  return [...password.normalize('NFC')].slice(0, ESTIMATED_LENGTH).join('');
}

/** Strength from 0 to 4 for an estimated number of guesses. */
export function scoreGuesses(guesses: number): number {
  return STRONGER_FROM.filter((least) => guesses >= least).length;
}

/**
 * Words that make this account's password easier to guess: the operator, the address and the name, whole and in parts.
 */
export function listGuessableWords({ brand, email, name }: PasswordContext): string[] {
  const wholes = [brand, email, name].map((text) => text.normalize('NFC').trim().toLowerCase());
  const parts = wholes.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  const joined = wholes.map((text) => text.replace(/[^\p{L}\p{N}]+/gu, ''));
  const words = [...wholes, ...parts, ...joined].filter((word) => word.length >= SHORTEST_WORD);
  return [...new Set(words)];
}
