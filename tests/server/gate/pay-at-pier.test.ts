import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Drawers } from '#contract/desk/drawer/schemas.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { BoatDetails } from '#contract/desk/schemas.ts';
import { PAYMENT_LINK_MAX_MINUTES } from '#contract/gate/limits.ts';
import type { HeldOrder } from '#contract/gate/sales/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders, payments } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { endLinksOfCanceledBoats, expireDueHolds } from '#server/orders/buy/expire-holds.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import {
  addToQueue,
  buyTickets,
  type Clerk,
  holdForPier,
  listActions,
  sendLink,
  signInClerk,
} from '#tests/factories/staff-desk.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

const MINUTE = 60_000;
const CASH = { payment: { method: 'cash' } };

let office: Office;
let sailing: string;
let desk: Clerk;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  desk = await signInClerk(office, 'desk');
});

type Hold = { adults?: number; email?: string; minutes?: number };

/** A party of adults that telephones, and their order. */
async function hold({ adults = 1, ...more }: Hold = {}) {
  const held: HeldOrder = must(await holdForPier(desk, await addToQueue(desk, sailing, adults), more));
  return { ...held, order: await findOrder(held.reference) };
}

async function findOrder(reference: string) {
  const [order] = await office.context.db.select().from(orders).where(eq(orders.reference, reference));
  if (!order) throw new Error('There is no order.');
  return order;
}

/** Opens a card payment as the buyer does on the order's page. */
async function startPaying(orderId: string): Promise<string> {
  const { client_secret: secret } = must(await office.pay(orderId));
  return String(secret).split('_secret', 1)[0] ?? '';
}

const take = (reference: string, body: object = CASH, clerk = desk) =>
  clerk.call(api.takeOrderPayment, { reference }, body);
const look = async (reference: string): Promise<StaffOrder> =>
  must(await desk.call(api.getStaffOrder, { reference }));
const readBoat = async (): Promise<BoatDetails> => must(await desk.call(api.getDeskBoat, { id: sailing }));
const listMails = async () => (await office.context.db.select().from(mails)).map(({ kind }) => kind);
const later = (minutes: number) => new Date(office.clock.now().getTime() + minutes * MINUTE).toISOString();
/** All that was paid, by any method. */
const listPaid = async () =>
  (await office.context.db.select().from(payments).where(eq(payments.status, 'succeeded'))).map(
    ({ method, amount }) => [method, amount],
  );

describe('POST /api/staff/gate/queue/{id}/hold', () => {
  test('holds the places until 30 minutes before departure, mails nothing and logs it', async () => {
    const { order, pay_until: payUntil, reference, legs } = await hold({ adults: 2 });
    const { boat } = await readBoat();
    expect(payUntil).toBe(new Date(Date.parse(boat.departs_at) - 30 * MINUTE).toISOString());
    expect(legs).toMatchObject([{ leg: 'out', sailing_id: sailing, destination: { code: 'SOU' } }]);
    expect(order).toMatchObject({
      ...{ status: 'held', soldBy: desk.id, total: 2550, paid: 0 },
      ...{ contactName: 'Ada Lovelace', contactPhone: '+12065550123', contactEmail: '' },
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [2, 0] });
    expect(await listMails()).toEqual([]);
    const { audit, payment_link: link } = await look(reference);
    expect(link).toEqual({ pay_until: payUntil, is_mailed: false, change: null });
    expect(audit.find(({ action }) => action === 'places_held')).toMatchObject({
      actor: { id: desk.id },
      changes: [
        { field: 'amount', after: 2550 },
        { field: 'pay_until_at', after: payUntil },
      ],
    });
    expect(must(await desk.call(api.getQueue, { id: sailing })).entries).toEqual([]);
  });

  test('never holds places longer than the boat is there, also where the sale online has ended', async () => {
    office.clock.advance((23 * 60 + 40) * MINUTE);
    desk = await signInClerk(office, 'desk');
    const id = await addToQueue(desk, sailing);
    const refused = await holdForPier(desk, id);
    expect(refused.body.errors).toMatchObject([{ code: 'sales_closed', reason: 'no_time_to_hold' }]);
    const { boat } = await readBoat();
    expect(must(await holdForPier(desk, id, { minutes: 120 })).pay_until).toBe(boat.departs_at);
  });

  test('frees the places at the deadline, and tells a buyer who has an address', async () => {
    const [mute, mailed] = [
      await hold({ minutes: 30 }),
      await hold({ minutes: 30, email: 'ada@example.com' }),
    ];
    expect(mute.pay_until).toBe(later(30));
    office.clock.advance(30 * MINUTE);
    await expireDueHolds(office.context);
    for (const { order } of [mute, mailed]) {
      expect((await office.readOrder(order.id)).status).toBe('expired');
    }
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await listMails()).toEqual(['order-payment-missed']);
    expect((await readBoat()).unpaid).toEqual([]);
  });

  test('refuses a buyer whom no one can reach, and what is no possible time', async () => {
    const id = await addToQueue(desk, sailing);
    for (const wrong of [
      { phone: '' },
      { phone: 'ada' },
      { name: '' },
      { email: 'ada' },
      { minutes: 14 },
      { minutes: PAYMENT_LINK_MAX_MINUTES + 1 },
      { quote_id: must(await office.quote()).id },
    ]) {
      expect(codeOf(await holdForPier(desk, id, wrong))).toBe('invalid_input');
    }
    expect(must(await desk.call(api.getQueue, { id: sailing })).entries).toMatchObject([{ id }]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  });

  test('needs a session, and the right to sell', async () => {
    const id = await addToQueue(desk, sailing);
    for (const role of ['gate', 'office'] as const) {
      const { call } = await signInClerk(office, role);
      expect(codeOf(await call(api.holdForPier, { id }, {}))).toBe('not_permitted');
    }
    expect((await office.request('POST', fillPath(api.holdForPier.path, { id }), {})).status).toBe(401);
  });
});

describe('orders that wait for payment', () => {
  test('are on the boat’s page by their deadline, and found by name and phone', async () => {
    const later = await hold({ adults: 2 });
    const first = await hold({ minutes: 30 });
    await office.takeOrder();
    await buyTickets(office, 1);
    const { unpaid, orders: paid } = await readBoat();
    expect(unpaid).toEqual([
      {
        ...{ reference: first.reference, contact_name: 'Ada Lovelace', phone: '+12065550123' },
        ...{ people: 1, vehicles: 0, pay_until: first.pay_until, total: 1275 },
      },
      expect.objectContaining({ reference: later.reference, people: 2, total: 2550 }),
    ]);
    expect(paid).toHaveLength(1);
    for (const search of ['lovelace', '2065550123']) {
      const path = `${api.findStaffOrders.path}?q=${search}` as const;
      const { orders: found } = must(await desk.call({ ...api.findStaffOrders, path }, {}));
      const references = found.map(({ reference }: { reference: string }) => reference);
      expect(references).toEqual(expect.arrayContaining([first.reference, later.reference]));
    }
  });
});

describe('POST /api/staff/orders/{reference}/payments', () => {
  test('confirms the order with its held places, as a sale in cash that the cashier made', async () => {
    const { order, reference } = await hold({ adults: 2, email: 'ada@example.com' });
    const other = await signInClerk(office, 'desk');
    must(await other.call(api.openDrawer, {}, { opening: 1000 }));
    const paid: StaffOrder = must(await take(reference, CASH, other));
    expect(paid).toMatchObject({
      payment_link: null,
      order: { status: 'confirmed', paid: 2550, payments: [{ method: 'cash', amount: 2550 }] },
    });
    expect(paid.order.tickets).toHaveLength(2);
    expect(listActions(paid)[0]).toBe('payment_taken');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(await listMails()).toEqual(['order-confirmed']);
    const [payment] = await office.context.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(payment).toMatchObject({ staffId: other.id, method: 'cash' });
    expect((await findOrder(reference)).soldBy).toBe(desk.id);
    expect((await readBoat()).unpaid).toEqual([]);
    const { open }: Drawers = must(await other.call(api.getDrawer, {}));
    expect(open).toMatchObject({ taken: 2550, expected: 3550 });
    expectNone(await findContradictions());
  });

  test('takes a card at the terminal, also for an order with a mailed link', async () => {
    const { reference }: HeldOrder = must(await sendLink(desk, await addToQueue(desk, sailing)));
    const terminal = { payment: { method: 'terminal', reference: 'R 42' } };
    const { order }: StaffOrder = must(await take(reference, terminal));
    expect(order).toMatchObject({ status: 'confirmed', payments: [{ method: 'terminal' }] });
  });

  test('takes it after too many declined cards', async () => {
    const { order, reference } = await hold();
    const intent = await startPaying(order.id);
    for (let tries = 0; tries < 5; tries += 1)
      await office.confirmWith(intent, 'pm_card_visa_chargeDeclined');
    await office.provider.deliverNow();
    expect(codeOf(await office.pay(order.id))).toBe('order_blocked');
    expect(must(await take(reference)).order.status).toBe('confirmed');
  });

  test('takes it once from two people at the same moment, and answers a repeated request the same', async () => {
    const { reference } = await hold();
    const other = await signInClerk(office, 'manager');
    const replies = await Promise.all([take(reference), take(reference, CASH, other)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['already_paid', 'success']);
    expect(codeOf(await take(reference))).toBe('already_paid');
    expect(await listPaid()).toEqual([['cash', 1275]]);

    const next = await hold();
    const send = () =>
      office.request('POST', fillPath(api.takeOrderPayment.path, { reference: next.reference }), {
        ...{ body: CASH, headers: desk.headers, idempotencyKey: 'k'.repeat(20) },
      });
    const [first, second] = [await send(), await send()];
    expect(codeOf(first)).toBe('success');
    expect(second.body.data).toEqual(first.body.data);
    expect(await listPaid()).toHaveLength(2);
  });

  test('loses against a card payment that has succeeded, and takes no cash', async () => {
    const { order, reference } = await hold();
    await office.confirmWith(await startPaying(order.id));
    expect(codeOf(await take(reference))).toBe('already_paid');
    expect(await listPaid()).toEqual([['card', 1275]]);
  });

  test('lets either the cash or the card count when both arrive at the same moment', async () => {
    const { order, reference } = await hold();
    const intent = await startPaying(order.id);
    const [taken] = await Promise.all([
      take(reference),
      office.confirmWith(intent).catch(() => undefined),
      office.pay(order.id),
    ]);
    await office.provider.deliverNow();
    const isCash = codeOf(taken) === 'success';
    if (!isCash) expect(['already_paid', 'payment_in_progress']).toContain(codeOf(taken));
    const counted = await listPaid();
    expect(counted.length).toBeLessThanOrEqual(1);
    if (isCash) expect(counted).toEqual([['cash', 1275]]);
    expectNone(await findContradictions());
  });

  test('closes a card payment that is open, so that the card is not charged afterwards', async () => {
    const { order, reference } = await hold();
    const intent = await startPaying(order.id);
    must(await take(reference));
    await office.confirmWith(intent).catch(() => undefined);
    await office.provider.deliverNow();
    expect(await listPaid()).toEqual([['cash', 1275]]);
    expect(codeOf(await office.pay(order.id))).toBe('already_paid');
  });

  test('is refused when the hold has ended, the order is canceled or the boat is', async () => {
    const [late, gone, stopped] = [await hold({ minutes: 30 }), await hold(), await hold()];
    must(await desk.call(api.cancelPaymentLink, { reference: gone.reference }));
    expect(codeOf(await take(gone.reference))).toBe('order_closed');
    office.clock.advance(30 * MINUTE);
    expect(codeOf(await take(late.reference))).toBe('hold_expired');
    await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', sailing]));
    expect(codeOf(await take(stopped.reference))).toBe('sailing_canceled');
    await endLinksOfCanceledBoats(office.context);
    expect(codeOf(await take(stopped.reference))).toBe('sailing_canceled');
    expect(await listPaid()).toEqual([]);
    const { unpaid } = await readBoat();
    expect(unpaid).toMatchObject([{ reference: stopped.reference, pay_until: null }]);
  });

  test('is refused for an order that its buyer makes online, and for what is no payment', async () => {
    const online = await office.takeOrder();
    expect(codeOf(await take((await office.readOrder(online.id)).reference))).toBe('order_closed');
    const { reference } = await hold();
    for (const payment of [{ method: 'terminal' }, { method: 'invoice' }, { method: 'card' }, undefined]) {
      expect(codeOf(await take(reference, { payment }))).toBe('invalid_input');
    }
    const unknown = { payment: { method: 'trip_card', card: '0000 0000 0000 0000' } };
    expect(codeOf(await take(reference, unknown))).toBe('unknown_trip_card');
    expect(codeOf(await take('XXXXXX'))).toBe('not_found');
    const done = await office.context.db.select().from(auditLog).where(eq(auditLog.action, 'payment_taken'));
    expect(done).toEqual([]);
  });

  test('needs a session, and the right to sell', async () => {
    const { reference } = await hold();
    for (const role of ['gate', 'office'] as const) {
      expect(codeOf(await take(reference, CASH, await signInClerk(office, role)))).toBe('not_permitted');
    }
    const path = fillPath(api.takeOrderPayment.path, { reference });
    expect((await office.request('POST', path, { body: CASH, idempotencyKey: 'k'.repeat(20) })).status).toBe(
      401,
    );
  });
});
