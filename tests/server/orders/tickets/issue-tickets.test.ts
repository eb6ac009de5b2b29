import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseReference } from '#domain/orders/reference.ts';
import { parseCode } from '#domain/orders/ticket-code.ts';
import { issueTickets, type TicketOrder } from '#server/orders/tickets/issue-tickets.ts';
import { buildSoldLine } from '#tests/factories/confirmed-order.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const context = {
  clock: { now: () => new Date('2026-06-01T15:00:00Z') },
  ticketSigner: {
    keyId: 'k1',
    sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  },
};
const order: TicketOrder = {
  id: 'ord_00000000000000000000000001',
  reference: 'K7M4-QXP8',
  plate: '5KJH 220',
  vehicle: { type: 'car', length_cm: 480, trailer_cm: 200 },
};

describe('issueTickets', () => {
  it('creates a ticket for each person, vehicle and bicycle of each leg, and none for fees and discounts', () => {
    const issued = issueTickets(context, {
      order,
      lines: [
        buildSoldLine({ quantity: 2 }),
        buildSoldLine({ kind: 'vehicle', typeCode: 'car' }),
        buildSoldLine({ kind: 'discount', typeCode: null }),
        buildSoldLine({ kind: 'fee', typeCode: null }),
        buildSoldLine({ leg: 'back', kind: 'bicycle', typeCode: null }),
      ],
    });
    expect(issued.map(({ leg, kind, partyIndex, partySize }) => [leg, kind, partyIndex, partySize])).toEqual([
      ['out', 'passenger', 1, 3],
      ['out', 'passenger', 2, 3],
      ['out', 'vehicle', 3, 3],
      ['back', 'bicycle', 1, 1],
    ]);
    expect(new Set(issued.map((ticket) => ticket.boardingCode)).size).toBe(4);
    for (const { boardingCode } of issued) {
      expect(boardingCode).toMatch(/^[2-9A-HJKMNP-Z]{4} [2-9A-HJKMNP-Z]{4}$/);
      expect(parseReference(boardingCode, ' ')).toBe(boardingCode);
    }
  });

  it('includes in each code what the gate needs, but no name and no plate', () => {
    const line = buildSoldLine({ kind: 'vehicle', typeCode: 'car' });
    const [ticket] = issueTickets(context, { order, lines: [line] });
    const parsed = parseCode(ticket?.payload ?? '');
    if (!parsed.ok) throw new Error('The code cannot be read.');
    expect(parsed.fields).toEqual({
      keyId: 'k1',
      ticketId: ticket?.id,
      sailingId: line.sailingId,
      reference: 'K7M4-QXP8',
      departsMinute: line.departsAt.getTime() / 60_000,
      validUntilMinute: line.departsAt.getTime() / 60_000 + 1440,
      kind: 'vehicle',
      typeCode: 'car',
      lengthCm: 680,
      partyIndex: 1,
      partySize: 1,
      version: 1,
    });
    expect(verify(null, parsed.signed, publicKey, parsed.signature)).toBe(true);
    expect(Buffer.from(parsed.signed).toString('latin1')).not.toContain('5KJH');
  });

  it('accepts type codes of any script and length', () => {
    const line = buildSoldLine({ typeCode: `дети${'x'.repeat(30)}` });
    const [ticket] = issueTickets(context, { order, lines: [line] });
    expect(parseCode(ticket?.payload ?? '')).toMatchObject({
      ok: true,
      fields: { typeCode: 'x'.repeat(16) },
    });
  });
});
