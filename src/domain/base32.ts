/** Crockford's alphabet in upper case, which a QR code encodes in 5.5 bits per character. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes bytes as base 32, most significant bits first; the last character is padded with zero bits. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((pending >> bits) & 31);
    }
    pending &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET.charAt((pending << (5 - bits)) & 31) : text;
}

/**
 * Decodes base 32; null if the text is invalid. Accepts lower case, reads O as 0, and I and L as 1. Trailing bits must
 * be zero, so that no two texts decode to the same bytes.
 */
export function fromBase32(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let at = 0;
  let bits = 0;
  let pending = 0;
  for (const character of text.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return null;
    pending = (pending << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = pending >> bits;
      at += 1;
      pending &= (1 << bits) - 1;
    }
  }
  return bits < 5 && pending === 0 ? bytes : null;
}

/** Decodes the 26 characters of an id (`tkt_…` without its prefix) to 16 bytes; null if they are invalid. */
export function decodeId(characters: string): Uint8Array | null {
  if (characters.length !== 26) return null;
  let value = 0n;
  for (const character of characters.toUpperCase()) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return null;
    value = (value << 5n) | BigInt(digit);
  }
  if (value >> 128n !== 0n) return null;
  const bytes = new Uint8Array(16);
  for (let index = 15; index >= 0; index -= 1) {
    bytes[index] = Number(value & 255n);
    value >>= 8n;
  }
  return bytes;
}

/** Encodes 16 bytes as the 26 characters of an id, in lower case. */
export function encodeId(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < 26; index += 1) {
    text = ALPHABET.charAt(Number(value & 31n)) + text;
    value >>= 5n;
  }
  return text.toLowerCase();
}
