import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffJourneys } from '#contract/desk/changes/schemas.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { ChangeQuote } from '#contract/orders/change/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { orders } from '#server/database/schema/sales.ts';
import { fares, feed } from '#server/database/schema/timetable.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { buyTickets, type Clerk, listActions, signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

let office: Office;
let sailing: string;
let later: string;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  office.context.config.refundLimit = 200;
  [sailing = '', later = ''] = office.ferry.outward;
});

const MINUTE = 60_000;
const CASH = { method: 'cash' };
const REASON = 'The road was closed.';
const to = (id: string) => ({ journeys: [{ direction: 'out', sailing_ids: [id] }] });

type Move = { payment?: object | null; reason?: string; version?: number; difference?: number };

/** Moves an order to another boat as quoted; with a reason without a fee. */
async function move(clerk: Clerk, reference: string, boat: string, more: Move = {}): Promise<TestReply> {
  const isFree = more.reason !== undefined;
  const quoted = await clerk.call(
    isFree ? api.quoteFreeChange : api.quoteStaffChange,
    { reference },
    to(boat),
  );
  if (!quoted.body.success) return quoted;
  const { version, difference } = must(quoted) as ChangeQuote;
  const body = { ...to(boat), version, difference, payment: null, ...more };
  return clerk.call(isFree ? api.makeFreeChange : api.changeStaffOrder, { reference }, body);
}

const setChangePolicy = (change: object) =>
  office.database.store.query(`update orders set fare_policy = fare_policy || $1::jsonb`, [
    JSON.stringify({ change }),
  ]);

const withFee = () => setChangePolicy({ allowed: true, fee: 500, until_minutes: 60 });
const forbidChanges = () => setChangePolicy({ allowed: false, fee: 500, until_minutes: 0 });

/** What adults pay from now on. */
async function setAdultFare(amount: number): Promise<void> {
  await office.context.db.update(fares).set({ amount }).where(eq(fares.amount, 1275));
  await office.context.db.update(feed).set({ revision: randomUUID() });
}

async function expectRightBooks(): Promise<void> {
  expectNone(await findContradictions());
}

const delayBoat = async (id: string, minutes: number) =>
  executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['delay', id, String(minutes)]));

const list = async (clerk: Clerk, reference: string, query: string) =>
  office.request('GET', `${fillPath(api.listStaffJourneys.path, { reference })}?${query}`, {
    headers: clerk.headers,
  });

const idsOf = ({ journeys }: StaffJourneys) => journeys.map(([boat]) => boat?.sailing_id);

describe('GET /api/staff/orders/{reference}/journeys', () => {
  test('lists the other boats of the booked day that have room for the party', async () => {
    await office.reopen({ passengers: 2 });
    [sailing = '', later = ''] = office.ferry.outward;
    const third = office.ferry.outward[2] ?? '';
    const { reference } = await buyTickets(office, 2);
    const { intent } = await office.takePayment({ legs: [later] });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const clerk = await signInClerk(office, 'desk');
    const listed: StaffJourneys = must(await list(clerk, reference, 'direction=out'));
    expect(listed).toMatchObject({ day: '2026-06-02', first_day: '2026-06-01', last_day: '2027-06-01' });
    expect(idsOf(listed)).not.toContain(sailing);
    expect(idsOf(listed)).not.toContain(later);
    expect(idsOf(listed)).toContain(third);
  });

  test('lists none on a day without boats, and refuses other days, journeys and orders', async () => {
    const { reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'desk');
    expect(must(await list(clerk, reference, 'direction=out&day=2026-08-01')).journeys).toEqual([]);
    expect(codeOf(await list(clerk, reference, 'direction=out&day=2026-02-31'))).toBe('invalid_input');
    expect(codeOf(await list(clerk, reference, 'direction=back'))).toBe('change_not_allowed');
    expect(codeOf(await list(clerk, '2222-2222', 'direction=out'))).toBe('not_found');
    const other = await signInClerk(office, 'gate');
    expect(codeOf(await list(other, reference, 'direction=out'))).toBe('not_permitted');
  });
});

describe('POST /api/staff/orders/{reference}/changes', () => {
  test('moves the order, takes the difference in cash, and says so in the history', async () => {
    const { id, reference } = await buyTickets(office, 2);
    await withFee();
    const clerk = await signInClerk(office, 'desk', { isFresh: false });
    const quote: ChangeQuote = must(await clerk.call(api.quoteStaffChange, { reference }, to(later)));
    expect(quote).toMatchObject({ price: 2550, carried: 2550, fee: 500, difference: 500 });
    const done: StaffOrder = must(await move(clerk, reference, later, { payment: CASH }));
    expect(done.order).toMatchObject({
      status: 'confirmed',
      total: 3050,
      paid: 3050,
      payment_status: 'paid',
    });
    expect(done.order.legs).toMatchObject([{ sailing_id: later }]);
    expect(done.order.tickets.map(({ status }) => status).toSorted()).toEqual([
      ...['issued', 'issued', 'replaced', 'replaced'],
    ]);
    expect(done.order.payments.at(-1)).toMatchObject({ method: 'cash', amount: 500, status: 'succeeded' });
    expect(done.changes).toMatchObject([{ actor: 'operator', status: 'done', difference: 500 }]);
    expect(listActions(done)).toEqual(['order_changed', 'payment_taken']);
    const entry = done.audit.find(({ action }) => action === 'order_changed');
    expect(entry?.changes).toEqual([
      { field: 'difference', before: null, after: 500 },
      { field: 'fee', before: null, after: 500 },
      { field: 'out_departure', before: '2026-06-02 08:00', after: '2026-06-02 10:00' },
    ]);
    expect(await office.count('mails:order-changed')).toBe(1);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2] });
    const [order] = await office.context.db.select().from(orders).where(eq(orders.id, id));
    expect(order).toMatchObject({ paid: 3050, refunded: 0 });
    await expectRightBooks();
  });

  test('takes the difference from a trip card or at a card terminal', async () => {
    const { reference } = await buyTickets(office, 1);
    await withFee();
    const { id: customerId } = await createCustomer(office.context);
    const card = await createTripCard(office.context, customerId, { balance: 700 });
    const clerk = await signInClerk(office, 'desk');
    must(await move(clerk, reference, later, { payment: { method: 'trip_card', card: card.number } }));
    const [after] = await office.context.db.select().from(tripCards).where(eq(tripCards.id, card.id));
    expect(after?.balance).toBe(200);
    const done: StaffOrder = must(
      await move(clerk, reference, sailing, { payment: { method: 'terminal', reference: 'Receipt 0042' } }),
    );
    expect(done.order.payments.map(({ method, amount }) => [method, amount])).toEqual([
      ['card', 1275],
      ['trip_card', 500],
      ['terminal', 500],
    ]);
    await expectRightBooks();
  });

  test('leaves the order as it was if the trip card does not pay, or nothing does', async () => {
    const { id, reference } = await buyTickets(office, 1);
    await withFee();
    const before = await office.readOrder(id);
    const card = await createTripCard(office.context, null, { balance: 499 });
    const clerk = await signInClerk(office, 'desk');
    const tries: [object | null, string][] = [
      [{ method: 'trip_card', card: card.number }, 'insufficient_balance'],
      [{ method: 'trip_card', card: '9000 0000 0000 0000' }, 'unknown_trip_card'],
      [{ method: 'terminal', reference: '' }, 'invalid_input'],
      [null, 'invalid_input'],
    ];
    for (const [payment, code] of tries) {
      expect(codeOf(await move(clerk, reference, later, { payment }))).toBe(code);
    }
    expect(await office.readOrder(id)).toMatchObject({ version: before.version, total: 1275 });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(await office.count('order_changes')).toBe(0);
    await expectRightBooks();
  });

  test('gives a negative difference back to where the payment came from, after a step-up', async () => {
    const { id, reference } = await buyTickets(office, 2);
    await setAdultFare(1000);
    const stale = await signInClerk(office, 'desk', { isFresh: false });
    expect(codeOf(await move(stale, reference, later))).toBe('step_up_required');
    const clerk = await signInClerk(office, 'desk');
    const quote: ChangeQuote = must(await clerk.call(api.quoteStaffChange, { reference }, to(later)));
    expect(quote).toMatchObject({
      difference: -550,
      destinations: [{ destination: 'card', amount: 550 }],
    });
    const done: StaffOrder = must(await move(clerk, reference, later));
    expect(done.order.refunds).toMatchObject([{ amount: 550, reason: 'customer' }]);
    expect(listActions(done)).toEqual(['order_changed']);
    await expectRightBooks();
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect(await office.readOrder(id)).toMatchObject({
      ...{ total: 2000, paid: 2550, refunded: 550, payment_status: 'partly_refunded' },
    });
    await expectRightBooks();
  });

  test('has the office pay out a negative difference of what was paid in cash', async () => {
    const { reference } = await buyTickets(office, 1);
    await withFee();
    const clerk = await signInClerk(office, 'desk');
    must(await move(clerk, reference, later, { payment: CASH }));
    await setAdultFare(500);
    await setChangePolicy({ allowed: true, fee: 0, until_minutes: 60 });
    const done: StaffOrder = must(await move(clerk, reference, sailing));
    expect(done.order.refunds.map(({ status }) => status)).toContain('awaiting_payout');
    await expectRightBooks();
  });

  test('moves money once when the request is repeated, under its key or another', async () => {
    const { reference } = await buyTickets(office, 1);
    await withFee();
    const { id } = await createStaffMember(office.context, 'desk');
    const { headers } = await startStaffSession(office.context, id);
    const post = (path: string, body: object, idempotencyKey: string) =>
      office.request('POST', path, { headers, body, idempotencyKey });
    const quotePath = fillPath(api.quoteStaffChange.path, { reference });
    const { version, difference } = must(await post(quotePath, to(later), randomUUID()));
    const body = { ...to(later), version, difference, payment: CASH };
    const path = fillPath(api.changeStaffOrder.path, { reference });
    const key = randomUUID();
    const replies = await Promise.all([
      post(path, body, key),
      post(path, body, key),
      post(path, body, randomUUID()),
    ]);
    expect(replies.map(codeOf)).toContain('success');
    // Whichever came first has moved the order.
    const others = replies.map(codeOf).filter((code) => code !== 'success');
    expect(['version_conflict', 'invalid_input']).toEqual(expect.arrayContaining(others));
    const [order] = await office.context.db.select().from(orders);
    expect(order).toMatchObject({ total: 1775, paid: 1775 });
    expect(await office.count('payments')).toBe(2);
    expect(await office.count('mails:order-changed')).toBe(1);
    await expectRightBooks();
  });

  test('gives up the buyer’s own change that is not paid', async () => {
    const buyer = changesOf(office);
    const order = await buyer.buy();
    await withFee();
    const third = office.ferry.outward[2] ?? '';
    const own = must(await buyer.change(order, [{ direction: 'out', to: [third], adults: 1 }]));
    expect(own.status).toBe('held');
    const clerk = await signInClerk(office, 'desk');
    must(await move(clerk, order.reference, later, { payment: CASH }));
    expect(await buyer.readChange(order, own)).toMatchObject({ status: 'abandoned' });
    expect(await office.taken(third)).toMatchObject({ passenger: [0, 0] });
    await expectRightBooks();
  });

  test('keeps the party with its vehicle, and both journeys in one change with one fee', async () => {
    const [back = '', laterBack = ''] = office.ferry.back;
    const car = { type: 'car', length_cm: 400 };
    const { order, intent } = await office.takePayment({
      ...{ legs: [sailing, back], adults: 2, children: 1, vehicle: car, bicycles: 1 },
    });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await withFee();
    const clerk = await signInClerk(office, 'desk');
    const { reference } = order;
    const journeys = [
      { direction: 'back', sailing_ids: [laterBack] },
      { direction: 'out', sailing_ids: [later] },
    ];
    const { version, difference } = must(await clerk.call(api.quoteStaffChange, { reference }, { journeys }));
    expect(difference).toBe(500);
    const done: StaffOrder = must(
      await clerk.call(api.changeStaffOrder, { reference }, { journeys, version, difference, payment: CASH }),
    );
    expect(done.order.legs.map(({ sailing_id: id }) => id)).toEqual([later, laterBack]);
    const { tickets } = done.order;
    const issued = tickets.filter(({ status }) => status === 'issued');
    expect(issued).toHaveLength(tickets.length / 2);
    await expectRightBooks();
  });

  test.each([
    ['another difference', { difference: 0 }, 'version_conflict'],
    ['another version', { version: 1 }, 'version_conflict'],
    ['a reason', { reason: REASON }, 'not_permitted'],
  ])('refuses %s', async (_, more, code) => {
    const { reference } = await buyTickets(office, 1);
    await withFee();
    const clerk = await signInClerk(office, 'desk');
    expect(codeOf(await move(clerk, reference, later, { payment: CASH, ...more }))).toBe(code);
    await expectRightBooks();
  });

  test('refuses a full boat, the booked one, a journey that the order does not have, and the gate', async () => {
    await office.reopen({ passengers: 2 });
    [sailing = '', later = ''] = office.ferry.outward;
    const { reference } = await buyTickets(office, 2);
    const { intent } = await office.takePayment({ legs: [later] });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const clerk = await signInClerk(office, 'desk');
    expect(codeOf(await move(clerk, reference, later))).toBe('sold_out');
    expect(codeOf(await move(clerk, reference, sailing))).toBe('invalid_input');
    const [back = ''] = office.ferry.back;
    const added = { journeys: [{ direction: 'back', sailing_ids: [back] }] };
    expect(codeOf(await clerk.call(api.quoteStaffChange, { reference }, added))).toBe('change_not_allowed');
    expect(codeOf(await move(clerk, '2222-2222', later))).toBe('not_found');
    expect(codeOf(await move(await signInClerk(office, 'gate'), reference, later))).toBe('not_permitted');
    await expectRightBooks();
  });
});

describe('a boat that is not sold online any more', () => {
  test('is listed, and takes a caller until it departs', async () => {
    const [, , third = ''] = office.ferry.outward;
    const { intent, order } = await office.takePayment({ legs: [third] });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    // Ten minutes before the first boat.
    office.clock.advance(24 * 3_600_000 - 600_000);
    const clerk = await signInClerk(office, 'desk');
    const path = fillPath(api.listStaffJourneys.path, { reference: order.reference });
    const { headers } = clerk;
    const listed: StaffJourneys = must(await office.request('GET', `${path}?direction=out`, { headers }));
    expect(listed.journeys.map(([boat]) => boat?.sailing_id)).toContain(sailing);
    const done: StaffOrder = must(await move(clerk, order.reference, sailing));
    expect(done.order.legs).toMatchObject([{ sailing_id: sailing }]);
    await expectRightBooks();
  });
});

describe('POST /api/staff/orders/{reference}/free_changes', () => {
  test('moves an order without a fee where its fare allows no change, with a reason', async () => {
    const { reference } = await buyTickets(office, 1);
    await forbidChanges();
    const desk = await signInClerk(office, 'desk');
    expect(codeOf(await move(desk, reference, later))).toBe('change_not_allowed');
    const stale = await signInClerk(office, 'office', { isFresh: false });
    expect(codeOf(await move(stale, reference, later, { reason: REASON }))).toBe('step_up_required');
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await move(clerk, reference, later, { reason: ' ' }))).toBe('invalid_input');
    const done: StaffOrder = must(await move(clerk, reference, later, { reason: REASON }));
    expect(done.order).toMatchObject({ total: 1275, paid: 1275, legs: [{ sailing_id: later }] });
    expect(done.changes).toMatchObject([{ actor: 'operator', status: 'done', difference: 0 }]);
    expect(listActions(done)).toEqual(['order_changed']);
    expect(done.audit.find(({ action }) => action === 'order_changed')?.reason).toBe(REASON);
    expect(await office.count('payments')).toBe(1);
    await expectRightBooks();
  });

  test('moves an order after the fare’s deadline, takes the price difference, and not after departure', async () => {
    const { reference } = await buyTickets(office, 1);
    await withFee();
    await setAdultFare(1500);
    office.clock.advance(23.5 * 3_600_000);
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await move(clerk, reference, later, { payment: CASH }))).toBe('change_not_allowed');
    const done: StaffOrder = must(await move(clerk, reference, later, { payment: CASH, reason: REASON }));
    expect(done.changes).toMatchObject([{ difference: 225 }]);
    await expectRightBooks();
    office.clock.advance(3 * 3_600_000);
    const next = await signInClerk(office, 'office');
    const last = office.ferry.outward[4] ?? '';
    expect(codeOf(await move(next, reference, last, { reason: REASON }))).toBe('check_in_closed');
  });

  test('moves an order from a boat that is late, as long as it is expected to depart', async () => {
    const [first, second] = [await buyTickets(office, 1), await buyTickets(office, 1)];
    await delayBoat(sailing, 30);
    office.clock.advance(24 * 3_600_000 + 20 * MINUTE);
    const clerk = await signInClerk(office, 'office');
    const bound = await move(clerk, first.reference, later);
    expect(bound.body.errors).toMatchObject([{ code: 'change_not_allowed', reason: 'change_too_late' }]);
    const done: StaffOrder = must(await move(clerk, first.reference, later, { reason: REASON }));
    expect(done.order.legs).toMatchObject([{ sailing_id: later }]);
    office.clock.advance(11 * MINUTE);
    const left = await move(clerk, second.reference, later, { reason: REASON });
    expect(left.body.errors).toMatchObject([{ code: 'check_in_closed', reason: 'boat_departed' }]);
    await expectRightBooks();
  });

  test('moves an order to a boat that is late, as long as it is expected to depart', async () => {
    const [first, second] = [await buyTickets(office, 1), await buyTickets(office, 1)];
    let clerk = await signInClerk(office, 'office');
    for (const { reference } of [first, second])
      must(await move(clerk, reference, later, { reason: REASON }));
    await delayBoat(sailing, 30);
    office.clock.advance(24 * 3_600_000 + 20 * MINUTE);
    clerk = await signInClerk(office, 'office');
    expect(idsOf(must(await list(clerk, first.reference, 'direction=out')))).toContain(sailing);
    const done: StaffOrder = must(await move(clerk, first.reference, sailing, { reason: REASON }));
    expect(done.order.legs).toMatchObject([{ sailing_id: sailing }]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
    office.clock.advance(11 * MINUTE);
    clerk = await signInClerk(office, 'office');
    expect(idsOf(must(await list(clerk, second.reference, 'direction=out')))).not.toContain(sailing);
    expect(codeOf(await move(clerk, second.reference, sailing, { reason: REASON }))).toBe('sold_out');
    await expectRightBooks();
  });

  test('gives back no more than one person may refund beyond the rules', async () => {
    const { reference } = await buyTickets(office, 1);
    await forbidChanges();
    await setAdultFare(1000);
    const clerk = await signInClerk(office, 'office');
    office.context.config.refundLimit = 2;
    expect(codeOf(await move(clerk, reference, later, { reason: REASON }))).toBe('refund_needs_approval');
    office.context.config.refundLimit = 3;
    const done: StaffOrder = must(await move(clerk, reference, later, { reason: REASON }));
    expect(done.order.refunds).toMatchObject([{ amount: 275 }]);
    await expectRightBooks();
  });
});

describe('POST /api/staff/orders/{reference}/rebook', () => {
  test('moves a party of a canceled boat at no charge, and says so in the log', async () => {
    await office.reopen({ passengers: 2 });
    [sailing = '', later = ''] = office.ferry.outward;
    const { reference } = await buyTickets(office, 2);
    await executeCommand(
      sailingsCommand,
      office.context,
      await sailingsCommand.read(['cancel', sailing, '--reason', 'weather']),
    );
    const clerk = await signInClerk(office, 'desk');
    const path = fillPath(api.listStaffJourneys.path, { reference });
    const { headers } = clerk;
    const listed: StaffJourneys = must(await office.request('GET', `${path}?direction=out`, { headers }));
    expect(listed.has_choice).toBe(true);
    // Its places are kept for the order.
    expect(listed.journeys.map(([boat]) => boat?.sailing_id)).toContain(later);
    const { order, choices }: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    expect(choices).toMatchObject([
      {
        ...{ direction: 'out', reason: 'sailing_canceled', status: 'open', if_unanswered: 'refund' },
        booked: [{ sailing_id: sailing, status: 'canceled' }],
        protected: { journey: [{ sailing_id: later }] },
      },
    ]);
    const body = { direction: 'out', sailing_ids: [later], version: order.version };
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.rebookStaffOrder, { reference }, body))).toBe('not_permitted');
    const done: StaffOrder = must(await clerk.call(api.rebookStaffOrder, { reference }, body));
    expect(done.order).toMatchObject({ total: 2550, paid: 2550, legs: [{ sailing_id: later }] });
    expect(listActions(done)).toEqual(['order_changed']);
    expect(done).toMatchObject({ notice_code: 'changed', choices: [{ status: 'moved' }] });
    await expectRightBooks();
  });

  test('is refused for a boat that runs as bought, and for an unknown order', async () => {
    const { reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'desk');
    const body = { direction: 'out', sailing_ids: [later], version: 2 };
    expect(codeOf(await clerk.call(api.rebookStaffOrder, { reference }, body))).toBe('change_not_allowed');
    const unknown = await clerk.call(api.rebookStaffOrder, { reference: '2222-2222' }, body);
    expect(codeOf(unknown)).toBe('not_found');
  });
});
