import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCode, partyFormat, ticketFormat } from '#domain/orders/ticket-code.ts';

const text = readFileSync('docs/ticket-codes.md', 'utf8');

/** The fields that the tables of the document name, table by table. */
const documented = text
  .split('| Field | Bytes | Meaning |')
  .slice(1)
  .map((table) => [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name));

const code = /^GW1\w+$/m.exec(text)?.[0] ?? '';
const key = /signed with the key `([\w-]+)`/.exec(text)?.[1] ?? '';

describe('docs/ticket-codes.md', () => {
  it('shows a code that its key has signed, of the ticket that it describes', () => {
    const parsed = parseCode(code);
    if (!parsed.ok || parsed.type !== 'ticket') throw new Error('The example is not a ticket.');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    expect(verify(null, parsed.signed, publicKey, parsed.signature)).toBe(true);
    expect(parsed.fields).toMatchObject({
      ...{ keyId: 'k1', kind: 'vehicle', lengthCm: 480, partyIndex: 3, partySize: 3, reference: 'K7M4-QXP8' },
      departsMinute: Date.parse('2026-06-02T17:00:00Z') / 60_000,
    });
  });

  it('names the fields of both codes in their order', () => {
    const id = `_${'0'.repeat(26)}`;
    const times = { keyId: 'k1', sailingId: `slg${id}`, departsMinute: 1, validUntilMinute: 1 };
    const ticket = ticketFormat.encode({
      ...{ ...times, ticketId: `tkt${id}`, kind: 'passenger', lengthCm: 0, partyIndex: 1, partySize: 1 },
      ...{ version: 1, reference: 'A', typeCode: 'adult' },
    });
    const party = partyFormat.encode({
      ...{ ...times, passengers: 2, vehicles: 0, bicycles: 0, lengthCm: 0, version: 1, reference: 'A' },
    });
    expect(documented).toEqual([
      Object.keys(ticketFormat.decode(ticket) ?? {}),
      Object.keys(partyFormat.decode(party) ?? {}),
    ]);
  });
});
