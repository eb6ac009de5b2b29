import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '#server/database/schema/audit.ts';
import { departureCounts } from '#server/database/schema/gate.ts';
import { mails } from '#server/database/schema/system.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';

let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(23 * 3_600_000);
  gate = await openGate(office, sailing);
});

/** The tickets of a paid order. */
async function buy(options: Parameters<Office['takeOrder']>[0] = {}): Promise<string[]> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { reference } = await office.readOrder(order.id);
  const party = (await gate.readPack()).parties.find((each) => each.reference === reference);
  return party?.tickets.map(({ id }) => id) ?? [];
}

const readAboard = async () => (await gate.readPack()).sailings[0]?.people_aboard;

describe('the number of people aboard', () => {
  test('is fixed at the departure, with the driver and people without tickets, but not the vehicle', async () => {
    const tickets = await buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
    await buy();
    must(await gate.send(gate.board(tickets), gate.count(2)));
    expect(await readAboard()).toBeNull();
    const { sailings } = must(await gate.change('departSailing'));
    expect(sailings[0].people_aboard).toEqual({
      people: 4,
      by_type: [{ title: 'Adult', people: 2 }],
      unticketed: 2,
      through: 0,
      counted_at: office.clock.now().toISOString(),
      is_corrected: false,
    });
  });

  test('counts those who have left the boat again as landed', async () => {
    const tickets = await buy({ adults: 2 });
    must(await gate.send(gate.board(tickets)));
    office.clock.advance(60_000);
    must(await gate.send(gate.leave(tickets.slice(0, 1))));
    must(await gate.change('departSailing'));
    expect(await readAboard()).toMatchObject({ people: 1 });
  });

  test('is corrected by a late report in another record, and the old one stays', async () => {
    const tickets = await buy({ adults: 2 });
    must(await gate.send(gate.board(tickets.slice(0, 1))));
    must(await gate.change('departSailing'));
    must(await gate.send(gate.board(tickets.slice(1), { device: 'Ramp 2' })));
    expect(await readAboard()).toMatchObject({ people: 2, is_corrected: true });
    expect(
      await office.context.db.select().from(departureCounts).orderBy(departureCounts.number),
    ).toMatchObject([
      { number: 1, people: 1 },
      { number: 2, people: 2 },
    ]);
    expect((await office.context.db.select().from(auditLog).orderBy(auditLog.seq)).at(-1)).toMatchObject({
      action: 'people_aboard_corrected',
      actorRole: 'gate',
      before: { people: 1, with_ticket: 1 },
      after: { people: 2, with_ticket: 2 },
    });
  });

  test('is not recorded again by a report that changes nothing', async () => {
    const tickets = await buy();
    const board = gate.board(tickets);
    must(await gate.send(board));
    must(await gate.change('departSailing'));
    must(await gate.change('departSailing'));
    must(await gate.send(board, gate.board(tickets, { device: 'Ramp 2' })));
    expect(await office.context.db.$count(departureCounts)).toBe(1);
  });

  test('is counted again if the boat departs again', async () => {
    const tickets = await buy();
    must(await gate.change('departSailing'));
    must(await gate.change('reopenCheckIn'));
    expect(await readAboard()).toBeNull();
    must(await gate.send(gate.board(tickets)));
    must(await gate.change('departSailing'));
    expect(await readAboard()).toMatchObject({ people: 1, is_corrected: true });
  });

  test('cannot be changed in the database', async () => {
    must(await gate.change('departSailing'));
    await expect(office.database.store.query('update departure_counts set people = 7')).rejects.toThrow(
      'A count of people aboard is corrected by another one.',
    );
  });
});

describe('the mail to the master', () => {
  const readMails = () => office.context.db.select().from(mails);

  test('has the number with its parts and no name', async () => {
    await office.database.store.query(`update vessels set master_email = 'bridge@example.com'`);
    const tickets = await buy({ adults: 2 });
    must(await gate.send(gate.board(tickets), gate.count(1)));
    must(await gate.change('departSailing'));
    const mail = (await readMails()).find(({ kind }) => kind === 'people-aboard');
    expect(mail).toMatchObject({
      toAddress: 'bridge@example.com',
      subject: '3 people aboard, MV Harbor Seal from North Quay, 8:00 AM PDT',
    });
    for (const line of ['Adult: 2', 'Without a ticket: 1', 'People aboard: 3', 'The boat may carry: 1000']) {
      expect(mail?.text).toContain(line);
    }
    expect(mail?.text).not.toContain('Lovelace');
  });

  test('says that it replaces an earlier one', async () => {
    await office.database.store.query(`update vessels set master_email = 'bridge@example.com'`);
    const tickets = await buy();
    must(await gate.change('departSailing'));
    must(await gate.send(gate.board(tickets)));
    expect((await readMails()).map(({ subject }) => subject)).toContain(
      'Corrected: 1 person aboard, MV Harbor Seal from North Quay, 8:00 AM PDT',
    );
  });

  test('is not sent for a boat without an address', async () => {
    must(await gate.change('departSailing'));
    expect((await readMails()).filter(({ kind }) => kind === 'people-aboard')).toEqual([]);
  });
});
