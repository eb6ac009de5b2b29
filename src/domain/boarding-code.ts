import { randomCode } from './check-character.ts';

/** Characters before the check character. */
const BODY_LENGTH = 7;

/** A new code to say aloud at the gate: seven random characters and a check character. */
export function newBoardingCode(random: (below: number) => number): string {
  return randomCode(BODY_LENGTH, random);
}

/** The code as it is printed, in two groups of four: `K7M4 QXPA`. */
export function formatBoardingCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
