import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { createVault } from '#server/core/vault.ts';
import { ticketKeys } from '#server/database/schema/system.ts';
import { createTicketSigner, listTicketKeys, rotateTicketKey } from '#server/orders/tickets/keys.ts';
import { buildSoldLine, issueOne } from '#tests/factories/confirmed-order.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const clock = { now: () => new Date('2026-06-01T15:00:00Z') };
const vault = createVault('a secret of the tests, thirty-two or more');
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('ticket keys', () => {
  it('are created once, however many processes start concurrently', async () => {
    const { db } = database;
    const signers = await Promise.all([1, 2, 3, 4].map(() => createTicketSigner({ db, vault, clock })));
    expect(new Set(signers.map((signer) => signer.keyId))).toEqual(new Set(['k1']));
    expect(await listTicketKeys({ db, clock })).toHaveLength(1);

    const message = new TextEncoder().encode('the same');
    expect(new Set(signers.map((signer) => Buffer.from(signer.sign(message)).toString('hex'))).size).toBe(1);
  });

  it('are stored encrypted', async () => {
    const [row] = await database.db.select().from(ticketKeys);
    expect(row?.encryptedPrivateKey).not.toContain('MC4CAQ');
    expect(() =>
      createVault('another secret, also thirty-two long').decrypt(row?.encryptedPrivateKey ?? ''),
    ).toThrow();
  });

  it('are rotated without invalidating sold tickets, and a retired key stays listed until it expires', async () => {
    const { db } = database;
    const before = await createTicketSigner({ db, vault, clock });
    const sold = issueOne({ clock, ticketSigner: before });
    const rotated = await Promise.all([
      rotateTicketKey({ db, vault, clock }),
      rotateTicketKey({ db, vault, clock }),
    ]);
    const after = await createTicketSigner({ db, vault, clock });
    expect(after.keyId).not.toBe(before.keyId);
    expect(rotated).toContain(after.keyId);

    const listed = await listTicketKeys({ db, clock });
    expect(listed.filter((key) => key.not_after === null)).toHaveLength(1);
    expect(checkTicket(sold, readKeys({ data: listed }), clock.now()).isValid).toBe(true);
    expect(checkTicket(issueOne({ clock, ticketSigner: after }), readKeys(listed), clock.now()).isValid).toBe(
      true,
    );

    const later = { now: () => new Date('2027-12-01T00:00:00Z') };
    expect((await listTicketKeys({ db, clock: later })).map((key) => key.key_id)).toEqual([after.keyId]);
  });

  it('are replaced if the application secret changed, so that tickets can still be sold', async () => {
    const { db } = database;
    const before = await createTicketSigner({ db, vault, clock });
    const sold = issueOne({ clock, ticketSigner: before });
    const after = await createTicketSigner({
      db,
      vault: createVault('another secret, also thirty-two long'),
      clock,
    });
    expect(after.keyId).not.toBe(before.keyId);
    const keys = readKeys(await listTicketKeys({ db, clock }));
    expect(checkTicket(sold, keys, clock.now()).isValid).toBe(true);
    expect(checkTicket(issueOne({ clock, ticketSigner: after }), keys, clock.now()).isValid).toBe(true);
  });
});

describe('the offline gate', () => {
  it('refuses a forged code, an altered one, a foreign key and an expired ticket', async () => {
    const signer = await createTicketSigner({
      db: database.db,
      vault: createVault('another secret, also thirty-two long'),
      clock,
    });
    const keys = readKeys(await listTicketKeys({ db: database.db, clock }));
    const code = issueOne({ clock, ticketSigner: signer });
    const forged = issueOne({ clock, ticketSigner: { keyId: signer.keyId, sign: () => new Uint8Array(64) } });
    expect(checkTicket(forged, keys, clock.now()).lines[0]).toContain('signature does not match');
    expect(checkTicket(`${code.slice(0, 40)}0${code.slice(41)}x`, keys, clock.now()).isValid).toBe(false);
    expect(checkTicket(code, new Map(), clock.now()).lines[0]).toContain("not among the operator's keys");
    expect(checkTicket('https://evil.test', keys, clock.now()).lines[0]).toContain('not a ticket');
    const muchLater = new Date(buildSoldLine().departsAt.getTime() + 25 * 3_600_000);
    expect(checkTicket(code, keys, muchLater).lines[0]).toContain('time is over');
    expect(checkTicket(code, keys, clock.now()).lines.join('\n')).toMatch(/passenger \(adult\)[\s\S]*1 of 1/);
  });
});
