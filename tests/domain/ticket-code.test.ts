import { generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idBytes, idCharacters } from '#domain/base32.ts';
import {
  encodeTicket,
  parseTicket,
  sealTicket,
  TICKET_CODE_BYTES,
  type TicketFields,
} from '#domain/ticket-code.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const ascii = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength });
const minute = fc.nat({ max: 0xffffffff });
const anyTicket: fc.Arbitrary<TicketFields> = fc.record({
  keyId: fc.nat({ max: 0xffff }).map((number) => `k${number}`),
  ticketId: sixteenBytes.map((bytes) => `tkt_${idCharacters(bytes)}`),
  sailingId: sixteenBytes.map((bytes) => `slg_${idCharacters(bytes)}`),
  reference: ascii(12),
  departsMinute: minute,
  validUntilMinute: minute,
  kind: fc.constantFrom('passenger' as const, 'vehicle' as const, 'bicycle' as const),
  typeCode: ascii(16),
  lengthCm: fc.nat({ max: 0xffff }),
  partyIndex: fc.nat({ max: 255 }),
  partySize: fc.nat({ max: 255 }),
  version: fc.nat({ max: 0xffff }),
});

describe('ticket codes', () => {
  it('come back as they went in', () => {
    fc.assert(
      fc.property(anyTicket, (fields) => {
        const parsed = parseTicket(seal(fields));
        expect(parsed).toMatchObject({ ok: true, fields });
        expect(isGenuine(seal(fields))).toBe(true);
      }),
    );
  });

  it('never pass 150 bytes with their signature and stay in the compact mode of QR codes', () => {
    expect(TICKET_CODE_BYTES).toBeLessThanOrEqual(150);
    fc.assert(
      fc.property(anyTicket, (fields) => {
        const code = seal(fields);
        expect(code).toMatch(/^GW1[0-9A-Z]+$/);
        expect(encodeTicket(fields).length + 64).toBeLessThanOrEqual(TICKET_CODE_BYTES);
      }),
    );
  });

  it('are refused when any one character is another', () => {
    fc.assert(
      fc.property(anyTicket, fc.nat(), fc.constantFrom(...BASE_32), (fields, place, wrong) => {
        const code = seal(fields);
        const at = place % code.length;
        fc.pre(code[at] !== wrong && !(at === 2 && 'IL'.includes(wrong)));
        return !isGenuine(code.slice(0, at) + wrong + code.slice(at + 1));
      }),
      { numRuns: 300 },
    );
  });

  it('are refused when a character is missing or one too many', () => {
    const code = seal(example);
    for (let at = 0; at < code.length; at += 1) {
      expect(isGenuine(code.slice(0, at) + code.slice(at + 1))).toBe(false);
      expect(isGenuine(`${code.slice(0, at)}0${code.slice(at)}`)).toBe(false);
    }
  });

  it('can be typed with small letters, spaces, dashes and the letters taken for 0 and 1', () => {
    const code = seal(example);
    const typed = `GW1${code.slice(3).replaceAll('0', 'o').replaceAll('1', 'l')}`
      .toLowerCase()
      .replace(/(.{4})/g, '$1 -');
    expect(parseTicket(typed)).toEqual(parseTicket(code));
    expect(isGenuine(typed)).toBe(true);
  });

  it('say why they cannot be read', () => {
    expect(parseTicket('https://example.com')).toEqual({ ok: false, reason: 'not_a_ticket' });
    expect(parseTicket('')).toEqual({ ok: false, reason: 'not_a_ticket' });
    expect(parseTicket('GW2ABC')).toEqual({ ok: false, reason: 'unknown_format' });
    expect(parseTicket('GW1')).toEqual({ ok: false, reason: 'damaged' });
    expect(parseTicket('GW1ABCU')).toEqual({ ok: false, reason: 'damaged' });
    expect(parseTicket(`GW1${'Z'.repeat(152)}`)).toEqual({ ok: false, reason: 'unknown_format' });
  });

  it('never throw, whatever is scanned', () => {
    fc.assert(fc.property(fc.string(), (text) => parseTicket(text).ok === false));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...BASE_32), maxLength: 260 }), (text) => {
        parseTicket(`GW1${text}`);
      }),
    );
  });

  it('refuse to be made of what does not fit', () => {
    for (const wrong of [
      { keyId: 'one' },
      { ticketId: 'tkt_short' },
      { sailingId: example.ticketId },
      { lengthCm: -1 },
      { lengthCm: 1.5 },
      { version: 70_000 },
      { reference: 'M4YÜ2345' },
      { typeCode: 'x'.repeat(17) },
    ]) {
      expect(() => encodeTicket({ ...example, ...wrong })).toThrow(RangeError);
    }
  });
});

describe('ids in codes', () => {
  it('take 16 bytes and come back', () => {
    fc.assert(
      fc.property(sixteenBytes, (bytes) => {
        expect(idBytes(idCharacters(bytes))).toEqual(bytes);
      }),
    );
  });

  it('are refused when they are no 128 bits', () => {
    expect(idBytes('z'.repeat(26))).toBeNull();
    expect(idBytes('0'.repeat(25))).toBeNull();
    expect(idBytes(`${'0'.repeat(25)}u`)).toBeNull();
  });
});

const example: TicketFields = {
  keyId: 'k1',
  ticketId: 'tkt_0123456789abcdefghjkmnpqrs',
  sailingId: 'slg_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  reference: 'K7M4QXPA',
  departsMinute: 29_000_000,
  validUntilMinute: 29_001_440,
  kind: 'vehicle',
  typeCode: 'car',
  lengthCm: 671,
  partyIndex: 2,
  partySize: 4,
  version: 1,
};

function seal(fields: TicketFields): string {
  const bytes = encodeTicket(fields);
  return sealTicket(bytes, new Uint8Array(sign(null, bytes, privateKey)));
}

function isGenuine(code: string): boolean {
  const parsed = parseTicket(code);
  return parsed.ok && verify(null, parsed.signed, publicKey, parsed.signature);
}
