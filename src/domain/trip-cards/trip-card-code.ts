import {
  ascii,
  defineFormat,
  type Field,
  type FieldsOf,
  formatCode,
  id,
  keyId,
  type SignedBytes,
  splitCode,
  unsigned,
} from '../signed-code.ts';

const PREFIX = 'GC1';
const PASS_PREFIX = 'GP1';

/** 16 digits as eight bytes of two digits each. */
const cardNumber: Field<string> = {
  write(value) {
    if (!/^\d{16}$/.test(value)) throw new RangeError('A card number has 16 digits.');
    return (value.match(/../g) ?? []).map(Number);
  },
  read: (take) =>
    take(8)
      .map((pair) => String(pair).padStart(2, '0'))
      .join(''),
};

/**
 * A trip card's code is signed with the ticket keys, so that a gate without network can verify that the card is the
 * operator's, and the balance when the code was made. No names. The format differs from those of tickets, because codes
 * signed with the same keys must not be confused.
 */
const FIELDS = {
  keyId,
  cardId: id('tcd_'),
  number: cardNumber,
  /** In minor units, or trips of a pass. */
  balance: unsigned(4),
  /** Whole minutes since 1970 in UTC. */
  madeMinute: unsigned(4),
  validUntilMinute: unsigned(4),
  version: unsigned(4),
};
export const tripCardFormat = defineFormat(0xc1, FIELDS);
export type TripCardCode = FieldsOf<typeof tripCardFormat>;

/** The code of a pass. `product`: its code, by which the gate knows the lines and people that it pays for. */
export const passFormat = defineFormat(0xc2, { ...FIELDS, product: ascii(32) });

/** The text of the QR code, from the bytes and their signature. */
export function formatTripCardCode(signed: Uint8Array, signature: Uint8Array): string {
  return formatCode(PREFIX, signed, signature);
}

export function formatPassCode(signed: Uint8Array, signature: Uint8Array): string {
  return formatCode(PASS_PREFIX, signed, signature);
}

/** A scanned code of a card with money, or of a pass with the code of its product. `text`: in its shortest spelling. */
export type ScannedCard = { text: string; fields: TripCardCode; product: string | null } & SignedBytes;

/**
 * Parses the code of a card with money or of a pass, also one that a scanner sent twice; null if it is invalid. Does not
 * verify the signature: callers that trust the fields verify `signature` over `signed` first.
 */
export function parseTripCardCode(input: string): ScannedCard | null {
  const compact = input
    .replace(/[\s-]/g, '')
    .toUpperCase()
    .replace(/^(G[CP]1.+?)\1+$/, '$1');
  const bytes = /^G[CP]1/.test(compact) ? splitCode(compact.slice(PREFIX.length)) : null;
  if (bytes === null) return null;
  if (compact.startsWith(PREFIX)) {
    const fields = tripCardFormat.decode(bytes.signed);
    return fields && { text: compact, fields, product: null, ...bytes };
  }
  const pass = passFormat.decode(bytes.signed);
  if (pass === null) return null;
  const { product, ...fields } = pass;
  return { text: compact, fields, product, ...bytes };
}
