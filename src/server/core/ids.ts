import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Creates an opaque id: kind prefix, underscore, 128 random bits as 26 characters of Crockford's base 32.
 * @param bytes sixteen unpredictable bytes
 */
export function newId(
  prefix:
    | 'prt'
    | 'rte'
    | 'ves'
    | 'voy'
    | 'slg'
    | 'pty'
    | 'vms'
    | 'vty'
    | 'fcl'
    | 'far'
    | 'prm'
    | 'hld'
    | 'hbk'
    | 'ord'
    | 'oln'
    | 'tkt'
    | 'pay'
    | 'rfd'
    | 'rcp'
    | 'inv'
    | 'csl'
    | 'cus'
    | 'ses'
    | 'stf'
    | 'sts'
    | 'mal'
    | 'pky'
    | 'rcv'
    | 'att'
    | 'lnk'
    | 'sev'
    | 'pcd'
    | 'tcd'
    | 'ent'
    | 'top'
    | 'trf'
    | 'shr'
    | 'dbt'
    | 'drw'
    | 'prc'
    | 'exc'
    | 'off'
    | 'can'
    | 'chg'
    | 'psp'
    | 'tsh'
    | 'prv'
    | 'psb'
    | 'psh'
    | 'sms'
    | 'gev'
    | 'gdv'
    | 'que'
    | 'tch'
    | 'stv'
    | 'sve'
    | 'str'
    | 'ntc'
    | 'rrq',
  bytes: Buffer = randomBytes(16),
): string {
  return `${prefix}_${encode(bytes)}`;
}

/**
 * 128 random bits as 26 letters and digits, for links that people send each other: chat apps drop punctuation at the end
 * of a link.
 */
export function newLinkToken(): string {
  return encode(randomBytes(16));
}

function encode(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** 256 random bits as 43 characters of base64url, for tokens, challenge handles and secrets of mailed links. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
