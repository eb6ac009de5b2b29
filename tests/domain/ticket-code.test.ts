import { generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '#domain/base32.ts';
import {
  buildParty,
  formatTicketCode,
  type PartyFields,
  parseCode,
  partyFormat,
  TICKET_CODE_BYTES,
  type TicketFields,
  ticketFormat,
} from '#domain/orders/ticket-code.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const ascii = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength });
const minute = fc.nat({ max: 0xffffffff });
const anyTicket: fc.Arbitrary<TicketFields> = fc.record({
  keyId: fc.nat({ max: 0xffff }).map((number) => `k${number}`),
  ticketId: sixteenBytes.map((bytes) => `tkt_${encodeId(bytes)}`),
  sailingId: sixteenBytes.map((bytes) => `slg_${encodeId(bytes)}`),
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
        const parsed = parseCode(seal(fields));
        expect(parsed).toMatchObject({ ok: true, fields });
        expect(isGenuine(seal(fields))).toBe(true);
      }),
    );
  });

  it('have at most 150 bytes with their signature, in the compact mode of QR codes', () => {
    expect(TICKET_CODE_BYTES).toBeLessThanOrEqual(150);
    fc.assert(
      fc.property(anyTicket, (fields) => {
        const code = seal(fields);
        expect(code).toMatch(/^GW1[0-9A-Z]+$/);
        expect(ticketFormat.encode(fields).length + 64).toBeLessThanOrEqual(TICKET_CODE_BYTES);
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

  it('can be typed in lower case, with spaces, dashes and letters that look like 0 and 1', () => {
    const code = seal(example);
    const typed = `GW1${code.slice(3).replaceAll('0', 'o').replaceAll('1', 'l')}`
      .toLowerCase()
      .replace(/(.{4})/g, '$1 -');
    expect(parseCode(typed)).toEqual(parseCode(code));
    expect(isGenuine(typed)).toBe(true);
  });

  it('are refused with a reason if they cannot be read', () => {
    expect(parseCode('https://example.com')).toEqual({ ok: false, reason: 'not_a_ticket' });
    expect(parseCode('')).toEqual({ ok: false, reason: 'not_a_ticket' });
    expect(parseCode('GW2ABC')).toEqual({ ok: false, reason: 'unknown_format' });
    expect(parseCode('GW1')).toEqual({ ok: false, reason: 'damaged' });
    expect(parseCode('GW1ABCU')).toEqual({ ok: false, reason: 'damaged' });
    expect(parseCode(`GW1${'Z'.repeat(152)}`)).toEqual({ ok: false, reason: 'unknown_format' });
  });

  it('do not throw for any scanned text', () => {
    fc.assert(fc.property(fc.string(), (text) => parseCode(text).ok === false));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...BASE_32), maxLength: 260 }), (text) => {
        parseCode(`GW1${text}`);
      }),
    );
  });

  it('cannot be created from values that do not fit', () => {
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
      expect(() => ticketFormat.encode({ ...example, ...wrong })).toThrow(RangeError);
    }
  });
});

const anyParty: fc.Arbitrary<PartyFields> = fc.record({
  keyId: fc.nat({ max: 0xffff }).map((number) => `k${number}`),
  sailingId: sixteenBytes.map((bytes) => `slg_${encodeId(bytes)}`),
  reference: ascii(12),
  departsMinute: minute,
  validUntilMinute: minute,
  passengers: fc.nat({ max: 255 }),
  vehicles: fc.nat({ max: 255 }),
  bicycles: fc.nat({ max: 255 }),
  lengthCm: fc.nat({ max: 0xffff }),
  version: fc.nat({ max: 0xffff }),
});

describe('codes of a whole party', () => {
  it('come back as they went in, and are never taken for a ticket', () => {
    fc.assert(
      fc.property(anyParty, (fields) => {
        const code = sealBytes(partyFormat.encode(fields));
        expect(code).toMatch(/^GW1[0-9A-Z]+$/);
        expect(parseCode(code)).toMatchObject({ ok: true, type: 'party', fields });
        expect(isGenuine(code)).toBe(true);
      }),
    );
  });

  it('are drawn smaller than a ticket, as a QR code of version 7 at most', () => {
    const party = buildParty([example, { ...example, kind: 'vehicle', lengthCm: 520 }], {
      keyId: 'k1',
      version: 1,
    });
    const code = sealBytes(partyFormat.encode(party as PartyFields));
    expect(encode(code, { ecc: 'M' }).version).toBeLessThanOrEqual(7);
    expect(encode(seal(example), { ecc: 'M' }).version).toBeGreaterThan(7);
  });

  it('are refused when any one character is another', () => {
    const code = sealBytes(
      partyFormat.encode(buildParty([example, example], { keyId: 'k1', version: 1 }) as PartyFields),
    );
    for (let at = 3; at < code.length; at += 1) {
      const wrong = code[at] === '7' ? '8' : '7';
      expect(isGenuine(code.slice(0, at) + wrong + code.slice(at + 1))).toBe(false);
    }
  });

  it('count each kind and end with the first ticket that ends', () => {
    const adult = { ...example, kind: 'passenger' as const, lengthCm: 0 };
    const tickets = [
      adult,
      { ...adult, validUntilMinute: example.validUntilMinute - 60 },
      { ...example, kind: 'vehicle' as const, lengthCm: 520 },
      { ...adult, kind: 'bicycle' as const },
    ];
    expect(buildParty(tickets, { keyId: 'k2', version: 3 })).toEqual({
      keyId: 'k2',
      sailingId: example.sailingId,
      reference: example.reference,
      departsMinute: example.departsMinute,
      validUntilMinute: example.validUntilMinute - 60,
      passengers: 2,
      vehicles: 1,
      bicycles: 1,
      lengthCm: 520,
      version: 3,
    });
  });

  it('are not created for one ticket, which has its own code', () => {
    expect(buildParty([example], { keyId: 'k1', version: 1 })).toBeNull();
    expect(buildParty([], { keyId: 'k1', version: 1 })).toBeNull();
  });
});

describe('ids in codes', () => {
  it('are encoded in 16 bytes and decoded unchanged', () => {
    fc.assert(
      fc.property(sixteenBytes, (bytes) => {
        expect(decodeId(encodeId(bytes))).toEqual(bytes);
      }),
    );
  });

  it('are refused if they do not have 128 bits', () => {
    expect(decodeId('z'.repeat(26))).toBeNull();
    expect(decodeId('0'.repeat(25))).toBeNull();
    expect(decodeId(`${'0'.repeat(25)}u`)).toBeNull();
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
  return sealBytes(ticketFormat.encode(fields));
}

function sealBytes(bytes: Uint8Array): string {
  return formatTicketCode(bytes, new Uint8Array(sign(null, bytes, privateKey)));
}

function isGenuine(code: string): boolean {
  const parsed = parseCode(code);
  return parsed.ok && verify(null, parsed.signed, publicKey, parsed.signature);
}
