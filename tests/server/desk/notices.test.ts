import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { BoatChangeInput, BoatChangeOutcome, BoatDetails } from '#contract/desk/schemas.ts';
import type { Sold } from '#contract/gate/sales/schemas.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { newId } from '#server/core/ids.ts';
import { pushes, pushSubscriptions } from '#server/database/schema/push.ts';
import { orders } from '#server/database/schema/sales.ts';
import { smsMessages } from '#server/database/schema/sms.ts';
import { mails } from '#server/database/schema/system.ts';
import { endLinksOfCanceledBoats } from '#server/orders/buy/expire-holds.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import {
  addToQueue,
  buyTickets,
  type Clerk,
  holdForPier,
  sendLink,
  signInClerk,
} from '#tests/factories/staff-desk.ts';

const SMS = {
  ...{ url: 'https://sms.example/messages', account: 'AC1', key: 'key', from: '+12065550100' },
  ...{ isStandIn: false, countryCode: '1', perDay: 100 },
};
/** The office opens a day before the first boat; this is six hours before. */
const OPENED = '2026-06-01T15:00:00.000Z';
const SOON = '2026-06-02T09:00:00.000Z';
const PHONE = '+12065550199';

let office: Office;
let boat: string;
let desk: Clerk;
let manager: Clerk;
beforeAll(async () => {
  office = await openOffice({ passengers: 20 });
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 20 });
  office.clock.set(SOON);
  Object.assign(office.context.config, { sms: null });
  boat = office.ferry.outward[0] ?? '';
  await signIn();
});

async function signIn(): Promise<void> {
  desk = await signInClerk(office, 'desk');
  manager = await signInClerk(office, 'office');
}

/** A sale to a party at the desk. */
async function sell(contact: { phone?: string; email?: string } = {}): Promise<string> {
  const { phone = '', ...sale } = contact;
  const party = { passengers: [{ type: 'adult', count: 1 }], label: 'Ada Lovelace', phone };
  const { entry_id: id } = must(await desk.call(api.joinQueue, { id: boat }, party));
  const [quote] = must(await desk.call(api.quoteQueueEntry, { id })).quotes;
  const payment = { method: 'cash' };
  const sold: Sold = must(
    await desk.call(api.sellToQueueEntry, { id }, { quote_id: quote.id, payment, ...sale }),
  );
  return sold.reference;
}

/** Has a browser told about an order. */
async function subscribe(reference: string): Promise<void> {
  const [order] = await office.context.db.select().from(orders).where(eq(orders.reference, reference));
  await office.context.db.insert(pushSubscriptions).values({
    ...{ id: newId('psb'), orderId: order?.id ?? '', endpoint: 'https://push.example/1', endpointHash: '1' },
    ...{ p256dh: '', auth: '', host: 'tickets', device: 'Safari on iPhone', insertedAt: office.clock.now() },
  });
}

const describeChange = (change: Partial<BoatChangeInput>) => ({
  scope: 'boat',
  reason: null,
  texts: [],
  ...change,
});
const preview = async (change: Partial<BoatChangeInput>): Promise<BoatChangeOutcome> =>
  must(await manager.call(api.previewBoatChange, { id: boat }, describeChange(change)));
const make = async (change: Partial<BoatChangeInput>): Promise<BoatChangeOutcome> =>
  must(await manager.call(api.changeBoat, { id: boat }, describeChange(change)));
const readBoat = async (): Promise<BoatDetails> => must(await desk.call(api.getDeskBoat, { id: boat }));

/** The orders with a notice of a change, by any channel. */
async function listTold(): Promise<Set<string>> {
  const { db } = office.context;
  const told = [
    ...(await db.select().from(mails)).filter(({ kind }) => kind.startsWith('sailing-')),
    ...(await db.select().from(pushes)),
    ...(await db.select().from(smsMessages)),
  ];
  return new Set(told.flatMap(({ orderId }) => orderId ?? []));
}

describe('an order whose boat is canceled', () => {
  test('is to be called if it was sold at the desk without a contact', async () => {
    const reference = await sell();
    const unreachable = [{ reference, contact_name: 'Ada Lovelace', phone: '' }];
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    expect(await listTold()).toEqual(new Set());
    expect((await readBoat()).orders).toMatchObject([{ reference, outcome: 'waiting', is_reachable: false }]);
  });

  test('is to be called if it has a phone number only and the operator sends no text messages', async () => {
    const reference = await sell({ phone: PHONE });
    const unreachable = [{ reference, contact_name: 'Ada Lovelace', phone: PHONE }];
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    expect(await listTold()).toEqual(new Set());
  });

  test('is sent a text message if it has a phone number only and the operator sends them', async () => {
    Object.assign(office.context.config, { sms: SMS });
    await sell({ phone: PHONE });
    expect((await readBoat()).orders).toMatchObject([{ is_reachable: true }]);
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 1, unreachable: [] });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 1, unreachable: [] });
    expect(await office.context.db.select().from(smsMessages)).toMatchObject([{ toNumber: PHONE }]);
  });

  test('is to be called if text messages reach it only shortly before departure, and the boat leaves later', async () => {
    Object.assign(office.context.config, { sms: SMS });
    office.clock.set(OPENED);
    await signIn();
    await sell({ phone: PHONE });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable: [{ phone: PHONE }] });
    expect(await listTold()).toEqual(new Set());
  });

  test('is to be called if its address refused the last mail, until it is corrected or a later mail arrives', async () => {
    const { db } = office.context;
    const reference = await sell({ phone: PHONE, email: 'ada@example.com' });
    const unreachable = [{ reference, contact_name: 'Ada Lovelace', phone: PHONE }];
    await db.update(mails).set({ status: 'failed' });
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    expect((await readBoat()).orders).toMatchObject([{ reference, is_reachable: false }]);
    await db.update(orders).set({ contactEmail: 'grace@example.com' });
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 1, unreachable: [] });
    await db.update(orders).set({ contactEmail: 'ada@example.com' });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 0, unreachable });
    office.clock.advance(60_000);
    const [refused] = await db.select().from(mails).where(eq(mails.status, 'failed'));
    if (!refused) throw new Error('No mail was refused.');
    const later = { id: newId('mal'), status: 'sent' as const, insertedAt: office.clock.now() };
    await db.insert(mails).values({ ...refused, ...later });
    expect((await readBoat()).orders).toMatchObject([{ reference, is_reachable: true }]);
  });

  test('is told by a push if it has an app only', async () => {
    await subscribe(await sell());
    expect((await readBoat()).orders).toMatchObject([{ is_reachable: true }]);
    expect(await preview({ kind: 'canceled' })).toMatchObject({ notified: 1, unreachable: [] });
    expect(await make({ kind: 'canceled' })).toMatchObject({ notified: 1, unreachable: [] });
    expect(await office.context.db.$count(pushes)).toBe(1);
  });

  test('counts among unpaid ones while it waits for payment, and is to be called without an address', async () => {
    must(await sendLink(desk, await addToQueue(desk, boat)));
    must(await holdForPier(desk, await addToQueue(desk, boat), { email: 'grace@example.com' }));
    const { reference } = must(await holdForPier(desk, await addToQueue(desk, boat)));
    const { order } = await office.takePayment();
    const counts = { notified: 0, unpaid_notified: 2, unreachable: [{ reference }] };
    expect(await preview({ kind: 'canceled' })).toMatchObject(counts);
    expect(await make({ kind: 'canceled' })).toMatchObject(counts);
    await endLinksOfCanceledBoats(office.context);
    const sent = await office.context.db.select().from(mails).where(eq(mails.kind, 'order-payment-canceled'));
    expect(new Set(sent.map(({ toAddress }) => toAddress))).toEqual(
      new Set(['ada@example.com', 'grace@example.com']),
    );
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'awaiting_payment' });
  });
});

/** One order of each kind of contact, two of which wait for payment. */
async function buyAll(): Promise<void> {
  await buyTickets(office, 2);
  await sell();
  await sell({ phone: PHONE });
  await subscribe(await sell());
  must(await sendLink(desk, await addToQueue(desk, boat)));
  must(await holdForPier(desk, await addToQueue(desk, boat)));
}

describe('a preview of a change', () => {
  beforeEach(() => Object.assign(office.context.config, { sms: SMS }));

  test.each<[string, Partial<BoatChangeInput>, number[]]>([
    ['a cancellation', { kind: 'canceled' }, [3, 1, 2]],
    ['a short delay', { kind: 'delayed', minutes: 5 }, [0, 0, 0]],
    ['a delay', { kind: 'delayed', minutes: 30 }, [3, 0, 1]],
    ['a delay with a choice', { kind: 'delayed', minutes: 180 }, [3, 0, 1]],
    ['a boat on hold', { kind: 'suspended' }, [0, 0, 0]],
    ['a notice', { kind: 'notice', texts: [{ language: 'en', text: 'The lift is broken.' }] }, [0, 0, 0]],
    ['an end of sales', { kind: 'sales_closed' }, [0, 0, 0]],
    ['one more boat', { kind: 'extra', time: '09:10', vessel: null }, [0, 0, 0]],
  ])('of %s counts the orders that are told then', async (_, change, [notified, unpaid, unreachable]) => {
    await buyAll();
    const { changes: none, ...told } = await preview(change);
    expect([...none, ...(await listTold())]).toEqual([]);
    const { changes, ...done } = await make(change);
    expect(done.orders.map((order) => ({ ...order, mail: null }))).toEqual(
      told.orders.map((order) => ({ ...order, mail: null })),
    );
    expect({ ...done, orders: [] }).toEqual({ ...told, orders: [] });
    expect([done.notified, done.unpaid_notified, done.unreachable.length]).toEqual([
      notified,
      unpaid,
      unreachable,
    ]);
    expect(changes).toHaveLength(1);
    expect((await listTold()).size).toBe(done.notified);
  });

  test('of an undone cancellation counts the orders that are told then', async () => {
    await buyAll();
    const { changes } = await make({ kind: 'canceled' });
    const before = await office.context.db.$count(mails);
    const told: BoatChangeOutcome = must(await manager.call(api.previewUndoBoatChanges, {}, { changes }));
    const done: BoatChangeOutcome = must(await manager.call(api.undoBoatChanges, {}, { changes }));
    expect({ ...done, orders: [] }).toEqual({ ...told, orders: [] });
    expect([done.notified, done.unpaid_notified, done.unreachable.length]).toEqual([3, 0, 1]);
    expect(await office.context.db.$count(mails)).toBe(before + 1);
  });

  test('of a closed port counts the orders that are told then', async () => {
    await buyAll();
    const closure = { from: '2026-06-02', until: '2026-06-02', reason: null, texts: [] };
    const told: BoatChangeOutcome = must(
      await manager.call(api.previewPortClosure, { code: 'SOU' }, closure),
    );
    const done: BoatChangeOutcome = must(await manager.call(api.closePort, { code: 'SOU' }, closure));
    expect([done.notified, done.unpaid_notified, done.unreachable]).toEqual([
      ...[told.notified, told.unpaid_notified, told.unreachable],
    ]);
    expect((await listTold()).size).toBe(done.notified);
  });
});

test('`npm run sailings` counts who is told, and lists whom to call', async () => {
  await buyTickets(office, 1);
  const mute = await sell();
  const called = await sell({ phone: PHONE });
  must(await sendLink(desk, await addToQueue(desk, boat)));
  const refused = await sell({ phone: PHONE, email: 'grace@example.com' });
  await office.context.db
    .update(mails)
    .set({ status: 'failed' })
    .where(eq(mails.toAddress, 'grace@example.com'));
  const { stdout } = await executeCommand(
    sailingsCommand,
    office.context,
    await sailingsCommand.read(['cancel', boat]),
  );
  const calls = [called, refused].map((reference) => `  ${reference}  Ada Lovelace  ${PHONE}`);
  calls.push(`  ${mute}  Ada Lovelace  no phone number`);
  expect(stdout.trimEnd().split('\n')).toEqual([
    '1 sailing changed. Orders written to: 1.',
    'Unpaid orders canceled, whose buyers are written to: 1.',
    'Orders that cannot be reached: 3. Call them:',
    ...calls.toSorted(),
  ]);
});
