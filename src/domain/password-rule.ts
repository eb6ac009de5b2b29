import { PASSWORD_LENGTH } from '#contract/sign-in/schemas.ts';

/** Strength (0 to 4) a password must have. */
export const PASSWORD_SCORE = 3;

/** Guesses from which on a password is one step stronger. Eight characters without any pattern are worth 3. */
const STRONGER_FROM = [1e3, 1e6, 1e8, 1e10] as const;

/** Estimating takes longer than it grows stronger; what comes after these characters only helps. */
const ESTIMATED_LENGTH = 100;
/** Shorter parts of a name are in too many words to be held against one. */
const SHORTEST_WORD = 3;

/** What somebody who attacks this very account would try first. */
export type PasswordContext = { brand: string; email: string; name: string };

/**
 * Whether the length is refused, and why. Counted in code points of the composed text, so that neither the
 * keyboard nor the script decides.
 * @param minimum what the operator asks for, in code points
 */
export function refusePasswordLength(
  password: string,
  minimum: number,
): 'password_too_short' | 'password_too_long' | null {
  const length = [...password.normalize('NFC')].length;
  if (length < minimum) return 'password_too_short';
  return length > PASSWORD_LENGTH.max ? 'password_too_long' : null;
}

/** The part of a password whose strength is estimated: composed, at most 100 code points. */
export function estimatedPart(password: string): string {
  return [...password.normalize('NFC')].slice(0, ESTIMATED_LENGTH).join('');
}

/** Strength from 0 to 4 by the guesses a password is estimated to withstand. */
export function passwordScore(guesses: number): number {
  return STRONGER_FROM.filter((least) => guesses >= least).length;
}

/** Words that make a password of this account easier to guess: the operator, the address and the name, whole and in parts. */
export function passwordWords({ brand, email, name }: PasswordContext): string[] {
  const wholes = [brand, email, name].map((text) => text.normalize('NFC').trim().toLowerCase());
  const parts = wholes.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  const joined = wholes.map((text) => text.replace(/[^\p{L}\p{N}]+/gu, ''));
  const words = [...wholes, ...parts, ...joined].filter((word) => word.length >= SHORTEST_WORD);
  return [...new Set(words)];
}
