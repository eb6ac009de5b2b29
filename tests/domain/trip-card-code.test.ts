import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatPassCode,
  formatTripCardCode,
  parseTripCardCode,
  passFormat,
  type TripCardCode,
  tripCardFormat,
} from '#domain/trip-cards/trip-card-code.ts';

const fields: fc.Arbitrary<TripCardCode> = fc.record({
  keyId: fc.integer({ min: 1, max: 65_535 }).map((number) => `k${number}`),
  cardId: fc.stringMatching(/^tcd_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
  number: fc.stringMatching(/^9[0-9]{15}$/),
  balance: fc.nat(99_999_999),
  madeMinute: fc.nat(2 ** 31),
  validUntilMinute: fc.nat(2 ** 31),
  version: fc.nat(2 ** 31),
});
const signature = new Uint8Array(64).fill(7);

test('a code decodes to the signed fields, in any spelling', () => {
  fc.assert(
    fc.property(fields, (card) => {
      const signed = tripCardFormat.encode(card);
      const text = formatTripCardCode(signed, signature);
      expect(text).toMatch(/^GC1[0-9A-Z]+$/);
      for (const typed of [text, text.toLowerCase(), text.replace(/(.{5})/g, '$1-')]) {
        expect(parseTripCardCode(typed)).toEqual({ text, fields: card, product: null, signed, signature });
      }
    }),
  );
});

test('the code of a pass has its product, also if a scanner sent it twice', () => {
  fc.assert(
    fc.property(fields, (card) => {
      const signed = passFormat.encode({ ...card, product: 'ten-rides' });
      const text = formatPassCode(signed, signature);
      const parsed = { text, fields: card, product: 'ten-rides', signed, signature };
      for (const typed of [text, text + text]) expect(parseTripCardCode(typed)).toEqual(parsed);
      expect(parseTripCardCode(text.replace('GP1', 'GC1'))).toBeNull();
    }),
  );
});

test('a truncated code and a code of another kind are refused', () => {
  fc.assert(
    fc.property(fields, fc.integer({ min: 1, max: 60 }), (card, cut) => {
      const text = formatTripCardCode(tripCardFormat.encode(card), signature);
      expect(parseTripCardCode(text.slice(0, -cut))).toBeNull();
      expect(parseTripCardCode(text.replace('GC1', 'GW1'))).toBeNull();
    }),
  );
  for (const text of ['', 'GC1', 'GC1!!', 'x'.repeat(5000)]) expect(parseTripCardCode(text)).toBeNull();
});

test('a field that does not fit is refused', () => {
  const card: TripCardCode = {
    keyId: 'k1',
    cardId: `tcd_${'0'.repeat(26)}`,
    number: '9000000000000000',
    balance: 1,
    madeMinute: 1,
    validUntilMinute: 1,
    version: 1,
  };
  expect(() => tripCardFormat.encode(card)).not.toThrow();
  for (const wrong of [
    { balance: -1 },
    { balance: 2 ** 32 },
    { number: '12' },
    { cardId: 'x' },
    { keyId: 'x' },
  ]) {
    expect(() => tripCardFormat.encode({ ...card, ...wrong })).toThrow(RangeError);
  }
});
