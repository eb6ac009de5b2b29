import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { takeFare } from '#server/gate/fares/take-fare.ts';
import { makeOfflineCode } from '#server/trip-cards/read-cards.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';

/** Of an adult, and of a child. */
const [ADULT, CHILD] = [1275, 500];
let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
let headers: Record<string, string>;
let customerId: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(23 * 3_600_000);
  gate = await openGate(office, sailing);
  headers = await signIn('gate');
  customerId = (await createCustomer(office.context)).id;
});

async function signIn(role: StaffRole): Promise<Record<string, string>> {
  const { id } = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, id)).headers;
}

const read = (card: string) => office.request('POST', api.readFareCard.path, { body: { card }, headers });
const adults = (count: number) => [{ type: 'adult', count }];
const take = (card: string, more: object = {}, options: object = {}) =>
  office.request('POST', api.takeFare.path, {
    body: { sailing_id: sailing, card, passengers: adults(1), amount: ADULT, device: 'Ramp 1', ...more },
    ...{ idempotencyKey: randomUUID(), headers, ...options },
  });
const undo = (orderId: string, as = headers) =>
  office.request('POST', fillPath(api.undoFare.path, { id: orderId }), { headers: as });
const makeCode = async (cardId: string) =>
  (await makeOfflineCode(office.context, { customerId, cardId })).payload;
const makePass = (balance = 3, terms: Parameters<typeof buildPassTerms>[0] = {}) => {
  const pass = buildPassTerms(terms);
  return createTripCard(office.context, customerId, { unit: 'trips', pass, balance });
};
const readBalance = async (cardId: string) => {
  const [card] = await office.context.db.select().from(tripCards).where(eq(tripCards.id, cardId));
  return card?.balance;
};

describe('a trip card at the gate', () => {
  test('is read by its number or its code, and who read it is recorded', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 2000 });
    const until = office.clock.now().getTime() / 60_000 + 24 * 60;
    for (const [text, valid_until_minute] of [
      [card.number, null],
      [await makeCode(card.id), until],
    ] as const) {
      expect(must(await read(text))).toEqual({
        ...{ id: card.id, last_four: card.number.slice(-4), unit: 'money', balance: 2000 },
        ...{ is_blocked: false, valid_until_minute, pass: null },
      });
    }
    expect(codeOf(await read('9000 0000 0000 0000'))).toBe('unknown_trip_card');
    expect(codeOf(await read(''))).toBe('invalid_input');
    const isView = eq(auditLog.action, 'trip_card_viewed');
    expect(await office.context.db.select().from(auditLog).where(isView)).toMatchObject([
      { objectId: card.id },
    ]);
  });

  test('pays for tickets of the boat, once', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 5000 });
    const passengers = [...adults(1), { type: 'child', count: 2 }];
    const amount = ADULT + 2 * CHILD;
    const key = randomUUID();
    const fare = { passengers, amount };
    const code = await makeCode(card.id);
    const taken = must(await take(code, fare, { idempotencyKey: key }));
    expect(must(await take(code, fare, { idempotencyKey: key }))).toEqual(taken);
    expect(taken.balance).toBe(5000 - amount);
    expect(taken.ticket_ids).toHaveLength(3);
    expect(await readBalance(card.id)).toBe(5000 - amount);
    expect(await office.readOrder(taken.order_id)).toMatchObject({
      ...{ reference: taken.reference, status: 'confirmed', total: amount },
      payments: [{ method: 'trip_card', amount, status: 'succeeded' }],
    });
    must(await gate.send(gate.board(taken.ticket_ids)));
    expect((await office.readOrder(taken.order_id)).tickets).toMatchObject(
      taken.ticket_ids.map(() => ({ status: 'boarded' })),
    );
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 3] });
    await watchHistory(office).expectInvariants();
  });

  test('pays once if the request is repeated after its answer was lost, also with nothing left', async () => {
    const card = await createTripCard(office.context, customerId, { balance: ADULT });
    const { id: staffId } = await createStaffMember(office.context, 'gate');
    const request = {
      fare: {
        sailing_id: sailing,
        card: card.number,
        passengers: adults(1),
        amount: ADULT,
        device: 'Ramp 1',
      },
      ...{ claim: randomUUID(), cashier: buildCashier(staffId), language: 'en' },
    };
    const first = await takeFare(office.context, request);
    const second = await takeFare(office.context, request);
    expect([second.record.order.id, second.balance]).toEqual([first.record.order.id, 0]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
  });

  test('gets the fare back if it is undone at once, also repeatedly', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 2000 });
    const { order_id: orderId, ticket_ids: ids } = must(await take(card.number));
    const board = gate.board(ids);
    must(await gate.send(board));
    expect(codeOf(await undo(orderId))).toBe('order_closed');
    must(await gate.send(gate.undo(board)));
    for (const _ of [1, 2]) must(await undo(orderId));
    expect(await readBalance(card.id)).toBe(2000);
    expect(await office.readOrder(orderId)).toMatchObject({ status: 'canceled', refunded: ADULT });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    await watchHistory(office).expectInvariants();
  });

  test('gets nothing back from other staff, later, or for an order that was sold otherwise', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 5000 });
    const { order_id: orderId } = must(await take(card.number));
    expect((await undo(orderId, await signIn('gate'))).status).toBe(404);
    expect((await undo((await office.takeOrder()).id)).status).toBe(404);
    office.clock.advance(5 * 60_000);
    expect((await undo(orderId)).status).toBe(404);
    expect(await readBalance(card.id)).toBe(5000 - ADULT);
  });

  test('gets the fare back later if it was undone in time, also if the answer was lost', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 5000 });
    const { order_id: orderId, ticket_ids: ids } = must(await take(card.number));
    const board = gate.board(ids);
    const undone = gate.undo(board);
    office.clock.advance(60 * 60_000);
    must(await gate.send(board));
    expect((await undo(orderId)).status).toBe(404);
    must(await gate.send(undone));
    must(await undo(orderId));
    office.clock.advance(60 * 60_000);
    must(await undo(orderId));
    expect(await readBalance(card.id)).toBe(5000);
  });

  test('gets nothing back if its boarding was undone too late', async () => {
    const card = await createTripCard(office.context, customerId, { balance: 5000 });
    const { order_id: orderId, ticket_ids: ids } = must(await take(card.number));
    const board = gate.board(ids);
    office.clock.advance(60 * 60_000);
    must(await gate.send(board, gate.undo(board)));
    expect((await undo(orderId)).status).toBe(404);
    expect(await readBalance(card.id)).toBe(5000 - ADULT);
  });

  test('pays nothing if it has not enough, is blocked or the price is another, and no places are taken', async () => {
    const card = await createTripCard(office.context, customerId, { balance: ADULT });
    expect(codeOf(await take(card.number, { passengers: adults(2), amount: 2 * ADULT }))).toBe(
      'insufficient_balance',
    );
    expect(codeOf(await take(card.number, { amount: ADULT - 1 }))).toBe('fare_refused');
    expect(codeOf(await take(card.number, { passengers: [{ type: 'ghost', count: 1 }] }))).toBe(
      'fare_refused',
    );
    expect(codeOf(await take(card.number, { passengers: [{ type: 'child', count: 1 }] }))).toBe(
      'fare_refused',
    );
    expect(codeOf(await take(card.number, { passengers: [] }))).toBe('invalid_input');
    expect(codeOf(await take(card.number, { amount: 0 }))).toBe('invalid_input');
    await office.context.db.update(tripCards).set({ status: 'frozen' }).where(eq(tripCards.id, card.id));
    expect(must(await read(card.number)).is_blocked).toBe(true);
    expect(codeOf(await take(card.number))).toBe('trip_card_frozen');
    expect(await readBalance(card.id)).toBe(ADULT);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  });

  test('is charged nothing if the boat is full or has left', async () => {
    await office.reopen({ passengers: 1 });
    sailing = office.ferry.outward[0] ?? '';
    office.clock.advance(23 * 3_600_000);
    gate = await openGate(office, sailing);
    headers = await signIn('gate');
    customerId = (await createCustomer(office.context)).id;
    const card = await createTripCard(office.context, customerId, { balance: 9000 });
    const two = { passengers: adults(2), amount: 2 * ADULT };
    expect(codeOf(await take(card.number, two))).toBe('sold_out');
    // A late boat, whose online sales have ended.
    office.clock.advance(65 * 60_000);
    expect(codeOf(await take(card.number, two))).toBe('sold_out');
    expect(await readBalance(card.id)).toBe(9000);
    must(await take(card.number));
    must(await gate.change('closeCheckIn'));
    must(await gate.change('departSailing'));
    expect(codeOf(await take(card.number))).toBe('sailing_not_boarding');
    const unknown = { sailing_id: 'slg_00000000000000000000000000' };
    expect((await take(card.number, unknown)).status).toBe(404);
    expect(await readBalance(card.id)).toBe(9000 - ADULT);
  });

  test('pays at most its balance if two gates take it at the same time', async () => {
    const card = await createTripCard(office.context, customerId, { balance: ADULT });
    const replies = await Promise.all([take(card.number), take(card.number)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['insufficient_balance', 'success']);
    expect(await readBalance(card.id)).toBe(0);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
    await watchHistory(office).expectInvariants();
  });
});

describe('a pass at the gate', () => {
  test('pays a trip for each person, and gets the trips back', async () => {
    const pass = await makePass(3);
    expect(must(await read(await makeCode(pass.id)))).toMatchObject({ unit: 'trips', balance: 3 });
    const taken = must(await take(pass.number, { passengers: adults(2), amount: 2 }));
    expect(taken.balance).toBe(1);
    expect(await office.readOrder(taken.order_id)).toMatchObject({
      ...{ status: 'confirmed', total: 2 * ADULT },
      payments: [{ method: 'trip_card', amount: 2 * ADULT }],
    });
    must(await undo(taken.order_id));
    expect(await readBalance(pass.id)).toBe(3);
    await watchHistory(office).expectInvariants();
  });

  test('pays only on its lines, for its travelers and while it is valid', async () => {
    const trip = { amount: 1 };
    const elsewhere = await makePass(3, { lines: ['another'] });
    expect(codeOf(await take(elsewhere.number, trip))).toBe('fare_refused');
    const forChildren = await makePass(3, { passenger_types: ['child'] });
    expect(codeOf(await take(forChildren.number, trip))).toBe('fare_refused');
    const over = await makePass(3);
    const expiresAt = new Date(office.clock.now().getTime() - 1);
    await office.context.db.update(tripCards).set({ expiresAt }).where(eq(tripCards.id, over.id));
    expect(codeOf(await take(over.number, trip))).toBe('pass_expired');
    for (const pass of [elsewhere, forChildren, over]) expect(await readBalance(pass.id)).toBe(3);
    expect(await office.context.db.select().from(orders)).toEqual([]);
  });
});

test('the gate’s list has the fares of its boats, the usual traveler first', async () => {
  const { fares } = await gate.readPack();
  expect(fares).toMatchObject({ currency: 'USD' });
  const own = fares?.sailings.find((each) => each.sailing_id === sailing);
  expect(own?.travelers.map(({ type, amount, needs_adult }) => [type, amount, needs_adult])).toEqual(
    expect.arrayContaining([
      ['adult', ADULT, false],
      ['child', CHILD, true],
    ]),
  );
  expect(own?.travelers[0]?.type).toBe('adult');
});
