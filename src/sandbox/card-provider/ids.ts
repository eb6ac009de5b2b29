import { randomBytes } from 'node:crypto';

/** Source of random bytes; tests pass their own. */
export type RandomSource = (size: number) => Uint8Array;

export const systemRandom: RandomSource = (size) => randomBytes(size);

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A prefix and 24 letters and digits: 142 bits, so that ids cannot be guessed. */
export function createId(randomSource: RandomSource, prefix: string, length = 24): string {
  let id = '';
  while (id.length < length) {
    for (const byte of randomSource(length)) {
      // 248 = 4 × 62: larger bytes would favour the first letters.
      if (byte < 248 && id.length < length) id += alphabet[byte % 62];
    }
  }
  return `${prefix}${id}`;
}
