import { fromBase32, idBytes, idCharacters, toBase32 } from '../base32.ts';

/**
 * The content of a trip card's code. Signed with the ticket keys, so that a gate without network can verify that the
 * card is the operator's, and the balance when the code was made. No names.
 *
 * Bytes, big-endian: format (1) · key number (2) · card id (16) · card number as eight bytes of two digits each (8) ·
 * balance in minor units (4) · made and valid until, in minutes since 1970 (4 + 4) · the card's version (4) · Ed25519
 * signature (64) over all bytes before it. As text: `GC1` and the bytes in base 32.
 */
export type TripCardCode = {
  /** `k` and the key's number: `k1`. */
  keyId: string;
  cardId: string;
  /** 16 digits. */
  number: string;
  balance: number;
  /** Whole minutes since 1970 in UTC. */
  madeMinute: number;
  validUntilMinute: number;
  version: number;
};

export type ParsedTripCardCode = { fields: TripCardCode; signed: Uint8Array; signature: Uint8Array };

const PREFIX = 'GC1';
/** Differs from a ticket's format, because both are signed with the same keys and must not be confused. */
const FORMAT = 0xc1;
const SIGNATURE_BYTES = 64;
const SIGNED_BYTES = 1 + 2 + 16 + 8 + 4 + 4 + 4 + 4;

/**
 * Encodes the bytes to be signed.
 * @throws {RangeError} if a field is out of range
 */
export function encodeTripCardCode(fields: TripCardCode): Uint8Array {
  const card = fields.cardId.startsWith('tcd_') ? idBytes(fields.cardId.slice(4)) : null;
  if (!card || !/^k\d+$/.test(fields.keyId) || !/^\d{16}$/.test(fields.number)) {
    throw new RangeError('A field does not fit.');
  }
  const bytes = new Uint8Array(SIGNED_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, FORMAT);
  view.setUint16(1, within(Number(fields.keyId.slice(1)), 0xffff));
  bytes.set(card, 3);
  for (let index = 0; index < 8; index += 1) {
    view.setUint8(19 + index, Number(fields.number.slice(2 * index, 2 * index + 2)));
  }
  view.setUint32(27, within(fields.balance, 0xffffffff));
  view.setUint32(31, within(fields.madeMinute, 0xffffffff));
  view.setUint32(35, within(fields.validUntilMinute, 0xffffffff));
  view.setUint32(39, within(fields.version, 0xffffffff));
  return bytes;
}

/** The text of the QR code, from the bytes and their signature. */
export function formatTripCardCode(signed: Uint8Array, signature: Uint8Array): string {
  const bytes = new Uint8Array(signed.length + signature.length);
  bytes.set(signed);
  bytes.set(signature, signed.length);
  return PREFIX + toBase32(bytes);
}

/**
 * Parses a scanned code; null if it is invalid. Does not verify the signature: callers that trust the fields verify
 * `signature` over `signed` first.
 */
export function parseTripCardCode(text: string): ParsedTripCardCode | null {
  const compact = text.replace(/[\s-]/g, '').toUpperCase();
  const bytes = compact.startsWith(PREFIX) ? fromBase32(compact.slice(PREFIX.length)) : null;
  if (!bytes || bytes.length !== SIGNED_BYTES + SIGNATURE_BYTES || bytes[0] !== FORMAT) return null;
  const signed = bytes.slice(0, SIGNED_BYTES);
  const view = new DataView(signed.buffer, signed.byteOffset, signed.byteLength);
  const pairs = Array.from(signed.subarray(19, 27), (pair) => String(pair).padStart(2, '0'));
  return {
    fields: {
      keyId: `k${view.getUint16(1)}`,
      cardId: `tcd_${idCharacters(signed.subarray(3, 19))}`,
      number: pairs.join(''),
      balance: view.getUint32(27),
      madeMinute: view.getUint32(31),
      validUntilMinute: view.getUint32(35),
      version: view.getUint32(39),
    },
    signed,
    signature: bytes.slice(SIGNED_BYTES),
  };
}

function within(value: number, limit: number): number {
  if (!Number.isInteger(value) || value < 0 || value > limit) throw new RangeError('A field does not fit.');
  return value;
}
