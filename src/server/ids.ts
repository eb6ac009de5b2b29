import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new opaque id: kind prefix, underscore, 128 random bits as 26 characters of Crockford's base 32. */
export function newId(
  prefix:
    | 'prt'
    | 'rte'
    | 'ves'
    | 'slg'
    | 'pty'
    | 'vty'
    | 'fcl'
    | 'far'
    | 'prm'
    | 'hld'
    | 'ord'
    | 'oln'
    | 'tkt'
    | 'pay'
    | 'rfd'
    | 'cus'
    | 'ses'
    | 'mal',
): string {
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}
