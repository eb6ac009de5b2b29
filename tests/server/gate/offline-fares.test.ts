import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { FareWork } from '#contract/desk/schemas.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import {
  gateCharges,
  tripCardDebts,
  tripCardEntries,
  tripCards,
} from '#server/database/schema/trip-cards.ts';
import { freezeCard, unfreezeCard } from '#server/trip-cards/block-card.ts';
import { makeOfflineCode } from '#server/trip-cards/read-cards.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { newEventId } from '#tests/factories/gate.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { buildPassTerms, sellPass } from '#tests/factories/passes.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { addEntry, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';

const ADULT = 1275;
let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
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
  customerId = (await createCustomer(office.context)).id;
});

/** A card with a code that was made now. */
async function openCard(balance: number) {
  const card = await createTripCard(office.context, customerId, { balance });
  return { ...card, code: await makeCode(card.id) };
}
const makeCode = async (cardId: string) =>
  (await makeOfflineCode(office.context, { customerId, cardId })).payload;

/** A fare that a device took without a connection, a minute after the one before. */
function fare(code: string, more: object = {}): GateEvent {
  office.clock.advance(60_000);
  return {
    ...{ type: 'fare', id: newEventId(), sailing_id: sailing, device: 'Ramp 1', code },
    ...{ passengers: [{ type: 'adult', count: 1 }], amount: ADULT },
    ...{ occurred_at: office.clock.now().toISOString(), ...more },
  } as GateEvent;
}
/** By the device that took it. */
const undoOf = (event: GateEvent) => gate.undo(event, { device: event.device });
const readBalance = async (cardId: string) => {
  const [card] = await office.context.db.select().from(tripCards).where(eq(tripCards.id, cardId));
  return card?.balance;
};
const countUnticketed = async () => {
  const { sailings } = await gate.readPack();
  return sailings.find(({ id }) => id === sailing)?.unticketed;
};
async function signIn(role: StaffRole) {
  const { id } = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, id)).headers;
}
async function listFares(): Promise<FareWork[]> {
  return must(await office.request('GET', api.listWork.path, { headers: await signIn('desk') })).fares;
}

describe('a fare that was taken without a connection', () => {
  test('is charged once however often it arrives, counts its people, and is in the audit log', async () => {
    const card = await openCard(5000);
    const party = [
      { type: 'adult', count: 1 },
      { type: 'child', count: 2 },
    ];
    const event = fare(card.code, { passengers: party, amount: ADULT + 2 * 500 });
    office.clock.advance(3 * 3_600_000);
    for (const events of [[event], [event, event], [event]]) must(await gate.send(...events));
    expect(await readBalance(card.id)).toBe(5000 - 2275);
    expect(await countUnticketed()).toBe(3);
    expect(await listFares()).toEqual([]);
    const isCharge = eq(auditLog.action, 'trip_card_charged');
    expect(await office.context.db.select().from(auditLog).where(isCharge)).toMatchObject([
      { actorId: gate.staffId, objectId: card.id },
    ]);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is given back if it was undone, whichever arrives first', async () => {
    const card = await openCard(5000);
    const events = [1, 2, 3].map(() => fare(card.code));
    const [first, second, third] = events as [GateEvent, GateEvent, GateEvent];
    must(await gate.send(first));
    must(await gate.send(gate.undo(first)));
    must(await gate.send(gate.undo(second)));
    must(await gate.send(second));
    must(await gate.send(third, gate.undo(third)));
    must(await gate.send(first, second, third));
    expect(await readBalance(card.id)).toBe(5000);
    expect(await countUnticketed()).toBe(0);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is not given back if it is undone by another device or too late, whichever arrives first', async () => {
    const card = await openCard(5000);
    const [first, second] = [fare(card.code), fare(card.code)];
    must(await gate.send(first, gate.undo(first, { device: 'Ramp 2' })));
    office.clock.advance(6 * 60_000);
    must(await gate.send(gate.undo(first)));
    must(await gate.send(gate.undo(second)));
    must(await gate.send(second));
    expect(await readBalance(card.id)).toBe(5000 - 2 * ADULT);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is owed also if an undo of it does not count', async () => {
    const card = await openCard(2000);
    const event = fare(card.code);
    await addEntry(office.context, card.id, -1500);
    must(await gate.send(event, gate.undo(event, { device: 'Ramp 2' })));
    expect(await listFares()).toMatchObject([{ kind: 'fare_owed', amount: ADULT - 500 }]);
  });

  test('stays listed if its sailing is removed', async () => {
    const card = await openCard(2000);
    const event = fare(card.code);
    await addEntry(office.context, card.id, -1500);
    must(await gate.send(event));
    const before = await listFares();
    expect(before).toHaveLength(1);
    await office.database.store.query('delete from gate_events where id = $1', [event.id]);
    expect(await listFares()).toEqual(before);
  });

  test('is owed if the card has not enough by then, until it is undone', async () => {
    const card = await openCard(2000);
    const event = fare(card.code);
    await addEntry(office.context, card.id, -1500);
    must(await gate.send(event));
    expect(await readBalance(card.id)).toBe(0);
    expect(await listFares()).toMatchObject([
      {
        ...{ kind: 'fare_owed', last_four: card.number.slice(-4), amount: ADULT - 500, unit: 'money' },
        ...{
          reason: 'insufficient_balance',
          device: 'Ramp 1',
          at: (event as { occurred_at: string }).occurred_at,
        },
      },
    ]);
    must(await gate.send(gate.undo(event)));
    expect(await readBalance(card.id)).toBe(500);
    expect(await listFares()).toEqual([]);
  });

  test('of one card at two gates is kept twice and told to the desk', async () => {
    const card = await openCard(5000);
    const [one, two] = [fare(card.code), fare(card.code, { device: 'Ramp 2' })];
    must(await gate.send(one));
    expect(await listFares()).toEqual([]);
    must(await gate.send(two));
    expect(await readBalance(card.id)).toBe(5000 - 2 * ADULT);
    expect((await listFares()).map(({ kind, device }) => [kind, device])).toEqual([
      ['fare_twice', 'Ramp 1'],
      ['fare_twice', 'Ramp 2'],
    ]);
    must(await gate.send(gate.undo(two, { device: 'Ramp 2' })));
    expect(await listFares()).toEqual([]);
  });

  test('leaves the list with a note of the desk, once, and its card still owes it', async () => {
    const card = await openCard(2000);
    const event = fare(card.code);
    await addEntry(office.context, card.id, -1500);
    must(await gate.send(event));
    const note = 'The passenger tops it up tonight.';
    const close = (headers = {}, body: object = { note }) =>
      office.request('POST', fillPath(api.closeFare.path, { id: event.id }), { headers, body });
    expect((await close()).status).toBe(401);
    expect((await close(await signIn('gate'))).status).toBe(403);
    const desk = await signIn('desk');
    expect((await close(desk, { note: ' ' })).status).toBe(422);
    must(await close(desk));
    expect(await listFares()).toEqual([]);
    expect((await close(desk)).status).toBe(404);
    const entries = await office.context.db.select().from(auditLog).where(eq(auditLog.action, 'fare_closed'));
    expect(entries).toMatchObject([{ objectId: card.id, reason: note, after: { amount: ADULT } }]);
    const debts = await office.context.db.select().from(tripCardDebts);
    expect(debts).toMatchObject([{ tripCardId: card.id, amount: ADULT - 500, settled: 0 }]);
  });

  test('of one card at two gates leaves the list as soon as one of the two is settled', async () => {
    const card = await openCard(5000);
    const [one, two] = [fare(card.code), fare(card.code, { device: 'Ramp 2' })];
    must(await gate.send(one, two));
    const path = fillPath(api.closeFare.path, { id: one.id });
    must(
      await office.request('POST', path, { headers: await signIn('desk'), body: { note: 'Two people.' } }),
    );
    expect(await listFares()).toEqual([]);
  });

  test('is kept uncharged if the card was blocked, the code is forged or out of date, or the price is wrong', async () => {
    const card = await openCard(9000);
    const { number } = card;
    const forged = createTicketSigner('k1').signCard({ cardId: card.id, number });
    const refused = [
      fare(forged),
      fare('GC1ABC'),
      fare(card.code, { amount: ADULT - 1 }),
      fare(card.code, { passengers: [{ type: 'adult', count: 3 }], amount: 3 * ADULT }),
      fare(card.code, { occurred_at: new Date(office.clock.now().getTime() + 25 * 3_600_000).toISOString() }),
    ];
    await freezeCard(office.context, { customerId, cardId: card.id });
    const blocked = fare(card.code);
    office.clock.advance(60_000);
    await unfreezeCard(office.context, { customerId, cardId: card.id });
    must(await gate.send(...refused, blocked));
    expect(await readBalance(card.id)).toBe(9000);
    const reasons = (await listFares()).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual([
      'card_blocked',
      'not_accepted',
      'not_accepted',
      'not_accepted',
      'not_accepted',
      'unknown_card',
    ]);
    expect(await office.context.db.select().from(gateCharges)).toHaveLength(6);
  });

  test('of a pass takes its trips', async () => {
    const pass = await sellPass(office.context.db, buildPassTerms());
    const card = await createTripCard(office.context, customerId, { unit: 'trips', pass, balance: 3 });
    const more = { passengers: [{ type: 'adult', count: 2 }], amount: 2 };
    must(await gate.send(fare(await makeCode(card.id), more)));
    expect(await readBalance(card.id)).toBe(1);
    expect(await listFares()).toEqual([]);
  });

  test('leads to the same balance, debt and number of people in every order and with repetitions', async () => {
    const card = await openCard(2000);
    const fares = ['Ramp 1', 'Ramp 2', 'Ramp 1', 'Ramp 3'].map((device) => fare(card.code, { device }));
    const undone = undoOf(fares[1] as GateEvent);
    const orders = [
      [...fares, undone],
      [undone, ...fares.toReversed()],
      [...fares, undone, ...fares],
    ];
    const outcomes: unknown[] = [];
    for (const order of orders) {
      const ids = new Map(order.map(({ id }) => [id, newEventId()]));
      const events = order.map((event) => ({
        ...event,
        id: ids.get(event.id),
        ...(event.type === 'undo' ? { event_id: ids.get(event.event_id) } : {}),
      })) as GateEvent[];
      for (const event of events) must(await gate.send(event));
      const owed = (await listFares()).filter(({ kind }) => kind === 'fare_owed');
      const debt = owed.reduce((sum, { amount }) => sum + amount, 0);
      outcomes.push([await readBalance(card.id), debt, await countUnticketed()]);
      // Gives everything back, for the next order.
      must(await gate.send(...events.filter(({ type }) => type === 'fare').map(undoOf)));
    }
    expect(outcomes).toEqual(orders.map(() => [0, 3 * ADULT - 2000, 3]));
    expect(await readBalance(card.id)).toBe(2000);
    const entries = await office.context.db.select().from(tripCardEntries);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(2000);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });
});

test('the gate’s list has blocked cards whose codes may still be shown, the limits and all passes', async () => {
  const card = await openCard(1000);
  await sellPass(office.context.db, { code: 'river', lines: ['river'] });
  await freezeCard(office.context, { customerId, cardId: card.id });
  expect((await gate.readPack()).fares).toMatchObject({
    blocked: [card.id],
    offline_limits: { money: 3000, trips: 4 },
    passes: [{ code: 'river', lines: ['river'], passenger_types: null }],
  });
  office.clock.advance(24 * 3_600_000);
  gate = await openGate(office, sailing);
  expect((await gate.readPack()).fares?.blocked).toEqual([]);
});
