import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { PassengerList, TravelerDetails } from '#contract/passenger-lists/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { decideTickets } from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { readConfig } from '#server/config.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { passengerDetails } from '#server/database/schema/passenger-lists.ts';
import { deleteOldTravelerDetails } from '#server/passenger-lists/erase-details.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { exportGuest } from '#server/privacy/guests.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';

const ADA: TravelerDetails = {
  ...{ family_name: 'Lovelace', forenames: 'Ada Augusta', gender: 'female', nationality: 'GB' },
  ...{ birth_date: '1985-12-10', care: 'Uses a hearing aid', emergency_phone: '+442071838750' },
};
const { keepDays } = readConfig({});
const HOUR_MS = 3_600_000;

let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await office.database.store.query('update routes set needs_passenger_list = true');
  await office.database.store.query('update feed set revision = gen_random_uuid()::text');
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(22 * HOUR_MS);
  gate = await openGate(office, sailing);
});

type Bought = { id: string; secret: string; tickets: string[] };

/** A paid order of a guest. */
async function buy(adults = 1): Promise<Bought> {
  const { order, intent } = await office.takePayment({ adults });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { tickets } = await office.readOrder(order.id);
  return { id: order.id, secret: order.buyer_secret, tickets: tickets.map(({ id }: { id: string }) => id) };
}

const state = (id: string) => office.request('GET', fillPath(api.getTravelerDetails.path, { id }));
const enter = ({ id, secret }: Bought, travelers: object[], proof: object = { buyer_secret: secret }) =>
  office.request('PUT', fillPath(api.setTravelerDetails.path, { id }), { body: { travelers, ...proof } });
const listPath = (id = sailing) => fillPath(api.getPassengerList.path, { id });
const readList = async (): Promise<PassengerList> => must(await gate.call('GET', listPath()));
const countStored = () => office.context.db.$count(passengerDetails);
const readActions = async () =>
  (await office.context.db.select().from(auditLog).orderBy(auditLog.seq)).map(({ action }) => action);

describe('the details of travelers', () => {
  test('are asked for only on routes that need them', async () => {
    const listed = await buy();
    expect(must(await office.quote()).needs_passenger_list).toBe(true);
    expect((await office.readOrder(listed.id)).legs[0].needs_passenger_list).toBe(true);
    await office.database.store.query('update routes set needs_passenger_list = false');
    expect(must(await office.quote())).not.toHaveProperty('needs_passenger_list');
    expect((await state(listed.id)).status).toBe(404);
    expect((await enter(listed, [{ traveler: 1, details: ADA }])).status).toBe(404);
  });

  test('are asked for by the gate, until they are entered', async () => {
    const order = await buy();
    const read = async () => {
      const pack = await gate.readPack();
      const list = createGateList(pack);
      const listed = list.tickets.get(order.tickets[0] ?? '');
      const boat = list.sailings.get(sailing);
      if (!listed || !boat) throw new Error('The list of the gate lacks the ticket.');
      const at = { sailing: boat, now: office.clock.now().getTime() };
      const tag = pack.tags.find((each) => each.sailing_id === sailing)?.tag;
      return { ...decideTickets([listed.ticket], listed.party, at, list), tag };
    };
    const before = await read();
    expect(before).toMatchObject({ answer: 'look', looks: ['details'] });
    must(await enter(order, [{ traveler: 1, details: ADA }]));
    const after = await read();
    expect(after.answer).toBe('go');
    expect(after.tag).not.toBe(before.tag);
    await office.database.store.query('update routes set needs_passenger_list = false');
    expect((await read()).answer).toBe('go');
  });

  test('are stored encrypted, and never sent to readers of the order', async () => {
    const order = await buy(2);
    expect(must(await state(order.id))).toMatchObject({ missing: [1, 2], entered: [], keep_hours: 24 });
    expect(must(await enter(order, [{ traveler: 1, details: ADA }]))).toMatchObject({
      missing: [2],
      entered: [1],
    });
    const [stored] = await office.context.db.select().from(passengerDetails);
    expect(stored?.encryptedDetails).not.toContain('Lovelace');
    for (const reply of [await state(order.id), { body: await office.readOrder(order.id) }]) {
      for (const secret of ['1985-12-10', 'hearing aid', '+442071838750']) {
        expect(JSON.stringify(reply.body)).not.toContain(secret);
      }
    }
  });

  test('give the tickets their names', async () => {
    const order = await buy(2);
    must(await enter(order, [{ traveler: 2, details: ADA }]));
    const { tickets } = await office.readOrder(order.id);
    expect(tickets[1].traveler_name).toBe('Ada Augusta Lovelace');
  });

  test('can be corrected', async () => {
    const order = await buy();
    must(await enter(order, [{ traveler: 1, details: ADA }]));
    must(await enter(order, [{ traveler: 1, details: { ...ADA, forenames: 'Ada' } }]));
    expect((await readList()).travelers.map(({ details }) => details?.forenames)).toEqual(['Ada']);
  });

  test('are refused of others than the buyer, of unknown travelers, and if they are impossible', async () => {
    const order = await buy();
    expect(codeOf(await enter(order, [{ traveler: 1, details: ADA }], {}))).toBe('change_not_allowed');
    for (const travelers of [
      [],
      [{ traveler: 2, details: ADA }],
      [{ traveler: 1, details: { ...ADA, birth_date: '2999-01-01' } }],
      [{ traveler: 1, details: { ...ADA, birth_date: '1985-02-30' } }],
      [{ traveler: 1, details: { ...ADA, nationality: 'Britain' } }],
      [{ traveler: 1, details: { ...ADA, family_name: '' } }],
    ]) {
      expect(codeOf(await enter(order, travelers))).toBe('invalid_input');
    }
    expect((await state('ord_00000000000000000000000000')).status).toBe(404);
    expect(await countStored()).toBe(0);
  });

  test('cannot be entered by the buyer once check-in has closed, but at the gate', async () => {
    const order = await buy();
    office.clock.advance(2 * HOUR_MS);
    expect(codeOf(await enter(order, [{ traveler: 1, details: ADA }]))).toBe('order_closed');
    gate = await openGate(office, sailing);
    const path = fillPath(api.setTravelerDetailsAtGate.path, {
      id: sailing,
      ticket_id: order.tickets[0] ?? '',
    });
    expect(must(await gate.call('PUT', path, ADA))).toMatchObject({
      travelers: [{ details: { family_name: 'Lovelace' } }],
    });
    expect(await readActions()).toEqual(['passenger_list_changed', 'passenger_list_viewed']);
  });
});

describe('the passenger list of a boat', () => {
  test('has who is aboard or expected, and counts who lacks details', async () => {
    const [ada, grace] = [await buy(), await buy()];
    must(await enter(ada, [{ traveler: 1, details: ADA }]));
    must(await gate.send(gate.board(ada.tickets), gate.count(2)));
    const list = await readList();
    expect(list).toMatchObject({
      boat: { sailing_id: sailing, origin: 'North Quay', travelers: 2, missing: 1 },
      unticketed: 2,
    });
    const byTicket = new Map(list.travelers.map((each) => [each.ticket_id, each]));
    expect(byTicket.get(ada.tickets[0] ?? '')).toMatchObject({ is_aboard: true, details: ADA });
    expect(byTicket.get(grace.tickets[0] ?? '')).toMatchObject({ is_aboard: false, details: null });
    expect((await gate.readPack()).sailings[0]?.travelers_without_details).toBe(1);
    expect(must(await gate.call('GET', api.listPassengerLists.path))[0]).toMatchObject({ missing: 1 });
  });

  test('does not exist for routes that need none, and unknown boats', async () => {
    await office.database.store.query('update routes set needs_passenger_list = false');
    expect((await gate.call('GET', listPath())).status).toBe(404);
    expect((await gate.call('GET', listPath('slg_00000000000000000000000000'))).status).toBe(404);
  });

  test('is exported with those aboard only, which the audit log records', async () => {
    const [ada, grace] = [await buy(), await buy()];
    must(await enter(ada, [{ traveler: 1, details: ADA }]));
    must(await enter(grace, [{ traveler: 1, details: { ...ADA, family_name: 'Hopper' } }]));
    must(await gate.send(gate.board(ada.tickets)));
    const reply = await gate.call('GET', fillPath(api.exportPassengerList.path, { id: sailing }));
    expect(String(reply.body).split('\n')).toEqual([
      expect.stringMatching(/^family_name,forenames,gender,nationality,birth_date/),
      expect.stringMatching(/^Lovelace,Ada Augusta,female,GB,1985-12-10,Uses a hearing aid/),
    ]);
    expect(await readActions()).toContain('passenger_list_exported');
  });

  test('refuses a ticket of another boat', async () => {
    const order = await buy();
    const other = office.ferry.outward[1] ?? '';
    const path = fillPath(api.setTravelerDetailsAtGate.path, {
      id: other,
      ticket_id: order.tickets[0] ?? '',
    });
    expect((await gate.call('PUT', path, ADA)).status).toBe(404);
  });
});

describe('the details of a voyage', () => {
  const erase = () => deleteOldTravelerDetails(office.context.db, office.clock.now(), keepDays);

  test('are erased a day after the arrival, and not before', async () => {
    must(await enter(await buy(), [{ traveler: 1, details: ADA }]));
    office.clock.advance(25 * HOUR_MS);
    await erase();
    expect(await countStored()).toBe(1);
    office.clock.advance(4 * HOUR_MS);
    await erase();
    expect(await countStored()).toBe(0);
  });

  test('are erased with their canceled tickets', async () => {
    const { id, secret, tickets } = await buy(2);
    must(
      await enter(
        { id, secret, tickets },
        [1, 2].map((traveler) => ({ traveler, details: ADA })),
      ),
    );
    await office.database.store.query(`update tickets set status = 'canceled' where id = $1`, [tickets[0]]);
    await erase();
    expect(await countStored()).toBe(1);
  });

  test('are exported and erased with the person’s orders', async () => {
    const order = await buy();
    must(await enter(order, [{ traveler: 1, details: ADA }]));
    const asked = { email: 'ada@example.com', actor: { kind: 'server' }, reason: null } as const;
    const exported = await exportGuest(office.context, asked);
    expect(exported).toMatchObject({ orders: [{ passenger_list: [{ traveler: 1, details: ADA }] }] });
    await office.context.db.transaction((tx) => eraseOrders(tx, [order.id]));
    expect(await countStored()).toBe(0);
  });
});
