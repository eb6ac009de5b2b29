/**
 * Codes that a gate verifies without network. Bytes: a format, the fields (numbers big-endian), and an Ed25519 signature
 * over all bytes before it. As text: a prefix and the bytes in base 32.
 */
import { decodeId, encodeId, fromBase32, toBase32 } from './base32.ts';

export const SIGNATURE_BYTES = 64;

/** How a field is written. Both functions throw a RangeError for an invalid value or invalid bytes. */
export type Field<Value> = {
  write(value: Value): readonly number[];
  /** @param take returns the next bytes */
  read(take: (count: number) => number[]): Value;
};

export type SignedBytes = { signed: Uint8Array; signature: Uint8Array };

export function unsigned(size: 1 | 2 | 4): Field<number> {
  return {
    write(value) {
      check(Number.isInteger(value) && value >= 0 && value < 256 ** size);
      return Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256);
    },
    read: (take) => take(size).reduce((value, byte) => value * 256 + byte, 0),
  };
}

/** `k` and the number of a key: `k1`. */
export const keyId: Field<string> = {
  write(value) {
    check(/^k\d+$/.test(value));
    return unsigned(2).write(Number(value.slice(1)));
  },
  read: (take) => `k${unsigned(2).read(take)}`,
};

/** One of our ids, in 16 bytes without its prefix. */
export function id(prefix: string): Field<string> {
  return {
    write(value) {
      const bytes = value.startsWith(prefix) ? decodeId(value.slice(prefix.length)) : null;
      check(bytes !== null);
      return [...bytes];
    },
    read: (take) => prefix + encodeId(Uint8Array.from(take(16))),
  };
}

/** Printable ASCII, preceded by its length. */
export function ascii(limit: number): Field<string> {
  const printable = /^[\x20-\x7e]*$/;
  return {
    write(value) {
      check(value.length <= limit && printable.test(value));
      return [value.length, ...Array.from(value, (character) => character.charCodeAt(0))];
    },
    read(take) {
      const [length = 0] = take(1);
      const text = String.fromCharCode(...take(length));
      check(printable.test(text));
      return text;
    },
  };
}

export function oneOf<Choice>(choices: readonly Choice[]): Field<Choice> {
  return {
    write: (value) => unsigned(1).write(choices.indexOf(value)),
    read(take) {
      const choice = choices[unsigned(1).read(take)];
      check(choice !== undefined);
      return choice;
    },
  };
}

/** Defines how the signed bytes of a code are made of its fields, in the order of the layout. */
export function defineFormat<Fields>(
  format: number,
  layout: { [Name in keyof Fields]: Field<Fields[Name]> },
) {
  const names = Object.keys(layout) as (keyof Fields)[];
  return {
    /** @throws {RangeError} if a field is out of range */
    encode(fields: Fields): Uint8Array {
      return Uint8Array.from([format, ...names.flatMap((name) => layout[name].write(fields[name]))]);
    },
    /** Null if the bytes are not exactly those of such a code. */
    decode(signed: Uint8Array): Fields | null {
      let at = 1;
      const take = (count: number) => {
        check(at + count <= signed.length);
        at += count;
        return [...signed.subarray(at - count, at)];
      };
      try {
        check(signed[0] === format);
        const fields = Object.fromEntries(names.map((name) => [name, layout[name].read(take)]));
        return at === signed.length ? (fields as Fields) : null;
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    },
  };
}

/** The fields of a format. */
export type FieldsOf<Format extends { encode(fields: never): unknown }> = Parameters<Format['encode']>[0];

/** The text of a code. */
export function formatCode(prefix: string, signed: Uint8Array, signature: Uint8Array): string {
  return prefix + toBase32(Uint8Array.of(...signed, ...signature));
}

/** The bytes of a code's text without its prefix; null if it is damaged. The signature is not verified. */
export function splitCode(text: string): SignedBytes | null {
  const bytes = fromBase32(text);
  if (!bytes || bytes.length <= SIGNATURE_BYTES) return null;
  return { signed: bytes.slice(0, -SIGNATURE_BYTES), signature: bytes.slice(-SIGNATURE_BYTES) };
}

function check(isValid: boolean): asserts isValid {
  if (!isValid) throw new RangeError('A field does not fit.');
}
