import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { PAYMENT_LINK_MAX_MINUTES } from '#contract/gate/limits.ts';
import type { HeldOrder } from '#contract/gate/sales/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { idempotencyKeys, mails } from '#server/database/schema/system.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { endLinksOfCanceledBoats, expireDueHolds } from '#server/orders/buy/expire-holds.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import {
  addToQueue,
  buyTickets,
  type Clerk,
  listActions,
  sendLink,
  signInClerk,
} from '#tests/factories/staff-desk.ts';

const MINUTE = 60_000;

let office: Office;
let sailing: string;
let desk: Clerk;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  desk = await signInClerk(office, 'desk');
});

/** A party of adults that gets a payment link, and their order. */
async function sell({ adults = 1, ...more }: { adults?: number; minutes?: number; language?: string } = {}) {
  const sent: HeldOrder = must(await sendLink(desk, await addToQueue(desk, sailing, adults), more));
  const [order] = await office.context.db.select().from(orders).where(eq(orders.reference, sent.reference));
  if (!order) throw new Error('There is no order.');
  return { ...sent, order };
}

/** Opens a card payment as the buyer does on the order's page. */
async function startPaying(orderId: string): Promise<string> {
  const { client_secret: secret } = must(await office.pay(orderId));
  return String(secret).split('_secret', 1)[0] ?? '';
}

const look = async (reference: string): Promise<StaffOrder> =>
  must(await desk.call(api.getStaffOrder, { reference }));
const listMails = async () => (await office.context.db.select().from(mails)).map(({ kind }) => kind);
const later = (minutes: number) => new Date(office.clock.now().getTime() + minutes * MINUTE).toISOString();

describe('an order whose boat has left before its deadline', () => {
  test('is paid neither online nor in person', async () => {
    const { order, reference } = await sell();
    await office.database.store.query('update sailings set departed_at = $1 where id = $2', [
      office.clock.now(),
      sailing,
    ]);
    const closed = [{ code: 'order_closed', reason: 'boat_departed' }];
    expect((await office.pay(order.id)).body.errors).toMatchObject(closed);
    const taken = await desk.call(api.takeOrderPayment, { reference }, { payment: { method: 'cash' } });
    expect(taken.body.errors).toMatchObject(closed);
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'held', paid: 0, tickets: [] });
  });
});

describe('POST /api/staff/gate/queue/{id}/payment_link', () => {
  test('holds the places for two hours, mails the link in the buyer’s language and logs the sale', async () => {
    const { order, pay_until: payUntil, reference } = await sell({ adults: 2, language: 'de' });
    expect(payUntil).toBe(later(120));
    expect(order).toMatchObject({
      ...{ status: 'held', soldBy: desk.id, locale: 'de', total: 2550, paid: 0 },
      ...{ contactName: 'Ada Lovelace', contactPhone: '+12065550123' },
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [2, 0] });
    expect(await listMails()).toEqual(['order-payment-link']);
    const [mail] = await office.context.db.select().from(mails);
    if (!mail) throw new Error('There is no mail.');
    const { content } = await prepareMail(office.context, mail, await loadWebSettings(office.context));
    expect(content.subject).toBe(`Bezahlen Sie Ihre Fährtickets · ${reference}`);
    expect(content.text).toContain('10:00 PDT am Mo., 1. Juni 2026');
    expect(content.text).toContain(`/orders/${order.id}/confirmation`);
    expect(content.text).toContain('25,50');
    const { audit, payment_link: link } = await look(reference);
    expect(link).toEqual({ pay_until: payUntil, is_mailed: true, change: null });
    expect(audit.find(({ action }) => action === 'payment_link_sent')).toMatchObject({
      actor: { id: desk.id },
      changes: [
        { field: 'amount', after: 2550 },
        { field: 'pay_until_at', after: payUntil },
      ],
    });
    const queue = must(await desk.call(api.getQueue, { id: sailing }));
    expect(queue.entries).toEqual([]);
  });

  test('is mailed once, and takes a group’s places once, if the server fails before it answers', async () => {
    const manager = await signInClerk(office, 'office');
    const places = { passenger: 5, lane_cm: 0, tall_lane_cm: 0, bicycle: 0 };
    must(await manager.call(api.holdBackPlaces, { id: sailing }, { ...places, reason: 'School trip' }));
    const id = await addToQueue(desk, sailing, 2);
    const [group] = must(await desk.call(api.quoteQueueEntry, { id })).held_back;
    const [quote] = must(await desk.call(api.quoteQueueEntry, { id })).quotes;
    const buyer = { name: 'Ada Lovelace', email: 'ada@example.com', minutes: 120 };
    const send = async (): Promise<HeldOrder> =>
      must(
        await office.request('POST', fillPath(api.sendPaymentLink.path, { id }), {
          ...{ headers: desk.headers, idempotencyKey: 'k'.repeat(20) },
          body: { quote_id: quote.id, ...buyer, held_back: [group.id] },
        }),
      );
    const { reference } = await send();
    await office.context.db.update(idempotencyKeys).set({ status: null, encryptedBody: null });
    office.clock.advance(2 * MINUTE);
    expect((await send()).reference).toBe(reference);
    expect(await listMails()).toEqual(['order-payment-link']);
    expect(listActions(await look(reference))).toEqual(['payment_link_sent']);
    expect(must(await manager.call(api.getDeskBoat, { id: sailing })).held_back).toMatchObject([
      { places: { passenger: 3 } },
    ]);
  });

  test('is paid by card as any order, whose tickets are mailed and whose seller is the clerk', async () => {
    const { order, reference } = await sell();
    office.clock.advance(119 * MINUTE);
    await office.confirmWith(await startPaying(order.id));
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', hold: null });
    expect(await listMails()).toEqual(['order-payment-link', 'order-confirmed']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
    const [paid] = await office.context.db.select().from(orders);
    expect(paid?.soldBy).toBe(desk.id);
    expect((await look(reference)).payment_link).toBeNull();
  });

  test('keeps the places while the bank decides about a payment that began before the deadline', async () => {
    const { order } = await sell({ minutes: 15 });
    office.clock.advance(14 * MINUTE);
    await office.confirmWith(await startPaying(order.id), 'pm_card_authenticationRequired');
    await office.provider.deliverNow();
    office.clock.advance(4 * MINUTE);
    await expireDueHolds(office.context);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 0] });
  });

  test('expires at the deadline: the places are free, and the buyer gets a mail', async () => {
    const { order, reference } = await sell();
    office.clock.advance(119 * MINUTE);
    await expireDueHolds(office.context);
    expect((await office.readOrder(order.id)).status).toBe('held');
    office.clock.advance(MINUTE);
    await expireDueHolds(office.context);
    expect((await office.readOrder(order.id)).status).toBe('expired');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await listMails()).toEqual(['order-payment-link', 'order-payment-missed']);
    expect((await look(reference)).payment_link).toBeNull();
    expect(codeOf(await office.pay(order.id))).toBe('hold_expired');
  });

  test('takes a payment that arrives late if there is room, and pays it back if there is none', async () => {
    await openSmallBoat(2);
    const [first, second] = [await sell(), await sell()];
    const intents = [await startPaying(first.order.id), await startPaying(second.order.id)];
    await expireWithoutProvider();
    await buyTickets(office, 1);
    for (const intent of intents) await office.confirmWith(intent);
    await office.provider.deliverNow();
    const states = [await office.readOrder(first.order.id), await office.readOrder(second.order.id)];
    expect(states.map(({ status }) => status).toSorted()).toEqual(['canceled', 'confirmed']);
    expect(await office.count('refunds')).toBe(1);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('never holds places longer than tickets are sold online', async () => {
    office.clock.advance((23 * 60 + 20) * MINUTE);
    desk = await signInClerk(office, 'desk');
    expect((await sell()).pay_until).toBe(later(30));
    office.clock.advance(30 * MINUTE);
    const refused = await sendLink(desk, await addToQueue(desk, sailing));
    expect(refused.body.errors).toMatchObject([{ code: 'sales_closed', reason: 'no_time_to_pay' }]);
  });

  test('refuses what is no address, no name or no possible time, and leaves the party in the queue', async () => {
    const id = await addToQueue(desk, sailing);
    for (const wrong of [
      { email: '' },
      { email: 'ada' },
      { name: '' },
      { minutes: 14 },
      { minutes: PAYMENT_LINK_MAX_MINUTES + 1 },
      { language: 'tlh' },
      { quote_id: must(await office.quote()).id },
    ]) {
      expect(codeOf(await sendLink(desk, id, wrong))).toBe('invalid_input');
    }
    expect(codeOf(await sendLink(desk, id, { plate: 'x'.repeat(99) }))).toBe('invalid_input');
    expect(must(await desk.call(api.getQueue, { id: sailing })).entries).toMatchObject([{ id }]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await listMails()).toEqual([]);
  });

  test('holds once for two people who serve the party, and nothing when the boat is full', async () => {
    await openSmallBoat(1);
    const [one, two] = [await addToQueue(desk, sailing), await addToQueue(desk, sailing)];
    const replies = await Promise.all([sendLink(desk, one), sendLink(desk, one)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['not_found', 'success']);
    expect(codeOf(await sendLink(desk, two))).toBe('sold_out');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 0] });
  });

  test('needs a session, and the right to sell', async () => {
    const id = await addToQueue(desk, sailing);
    for (const role of ['gate', 'office'] as const) {
      const { call } = await signInClerk(office, role);
      expect(codeOf(await call(api.sendPaymentLink, { id }, {}))).toBe('not_permitted');
    }
    expect((await office.request('POST', fillPath(api.sendPaymentLink.path, { id }), {})).status).toBe(401);
  });
});

describe('the order of a payment link', () => {
  test('is shown to anyone who has its link, without the buyer’s address and without a way to cancel it', async () => {
    const { order } = await sell();
    const shown = await office.readOrder(order.id);
    expect(shown).toMatchObject({
      ...{ status: 'held', contact: { email: 'a•••@example.com', phone: '•••23' }, needs_proof: 'code' },
      hold: { expires_at: later(120), can_extend: false },
    });
    expect(codeOf(await office.cancelOrder(order))).toBe('change_not_allowed');
    const other = `${order.id.slice(0, -1)}${order.id.endsWith('0') ? '1' : '0'}`;
    expect((await office.request('GET', `/api/orders/${other}`)).status).toBe(404);
    const guess = { reference: order.reference, email: 'eve@example.com' };
    must(await office.request('POST', api.lookUpOrder.path, { body: guess }));
    expect(await listMails()).toEqual(['order-payment-link']);
  });

  test('is blocked after too many declined cards', async () => {
    const { order } = await sell();
    const intent = await startPaying(order.id);
    for (let tries = 0; tries < 5; tries += 1)
      await office.confirmWith(intent, 'pm_card_visa_chargeDeclined');
    await office.provider.deliverNow();
    expect(codeOf(await office.pay(order.id))).toBe('order_blocked');
  });
});

describe('POST /api/staff/orders/{reference}/payment_link/mails', () => {
  test('mails the link again, to the corrected address', async () => {
    const { reference } = await sell();
    const fresh = await signInClerk(office, 'desk', { isFresh: true });
    const contact = { name: 'Ada', email: 'ada@lovelace.example' };
    must(await fresh.call(api.correctStaffOrder, { reference }, { contact, mail_tickets: false }));
    const mailed: StaffOrder = must(await desk.call(api.mailPaymentLink, { reference }));
    expect(listActions(mailed)[0]).toBe('payment_link_mailed');
    const sent = await office.context.db.select().from(mails).where(eq(mails.kind, 'order-payment-link'));
    expect(sent.map(({ toAddress }) => toAddress).toSorted()).toEqual([
      'ada@example.com',
      'ada@lovelace.example',
    ]);
  });

  test('is refused for an order that does not wait for payment by a link', async () => {
    const paid = await buyTickets(office, 1);
    expect(codeOf(await desk.call(api.mailPaymentLink, { reference: paid.reference }))).toBe('already_paid');
    const online = await office.takeOrder();
    expect(codeOf(await desk.call(api.mailPaymentLink, online))).toBe('order_closed');
    const { reference } = await sell();
    office.clock.advance(121 * MINUTE);
    expect(codeOf(await desk.call(api.mailPaymentLink, { reference }))).toBe('order_closed');
    expect(codeOf(await desk.call(api.mailPaymentLink, { reference: 'XXXXXX' }))).toBe('not_found');
  });

  test('needs a session, and the right to serve orders', async () => {
    const { reference } = await sell();
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.mailPaymentLink, { reference }))).toBe('not_permitted');
    const path = fillPath(api.mailPaymentLink.path, { reference });
    expect((await office.request('POST', path, { idempotencyKey: 'k'.repeat(20) })).status).toBe(401);
  });
});

describe('DELETE /api/staff/orders/{reference}/payment_link', () => {
  test('frees the places at once, logs it, and the order cannot be paid any more', async () => {
    const { order, reference } = await sell({ adults: 2 });
    await startPaying(order.id);
    const canceled: StaffOrder = must(await desk.call(api.cancelPaymentLink, { reference }));
    expect(canceled).toMatchObject({ payment_link: null, order: { status: 'canceled' } });
    expect(listActions(canceled)[0]).toBe('payment_link_canceled');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(codeOf(await office.pay(order.id))).toBe('order_closed');
    expect(codeOf(await desk.call(api.cancelPaymentLink, { reference }))).toBe('order_closed');
    expect(await listMails()).toEqual(['order-payment-link']);
  });

  test('loses against a payment that has succeeded', async () => {
    const { order, reference } = await sell();
    await office.confirmWith(await startPaying(order.id));
    expect(codeOf(await desk.call(api.cancelPaymentLink, { reference }))).toBe('already_paid');
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
    const done = await office.context.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'payment_link_canceled'));
    expect(done).toEqual([]);
  });

  test('leaves either the tickets or the free places if a payment arrives at the same time', async () => {
    const { order, reference } = await sell();
    await office.confirmWith(await startPaying(order.id));
    await Promise.all([desk.call(api.cancelPaymentLink, { reference }), office.provider.deliverNow()]);
    expect((await office.readOrder(order.id)).status).toBe('confirmed');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
  });

  test('is refused for an order that a buyer made online', async () => {
    const online = await office.takeOrder();
    expect(codeOf(await desk.call(api.cancelPaymentLink, online))).toBe('order_closed');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 0] });
    expect(codeOf(await desk.call(api.cancelPaymentLink, { reference: 'XXXXXX' }))).toBe('not_found');
  });

  test('needs a session, and the right to serve orders', async () => {
    const { reference } = await sell();
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.cancelPaymentLink, { reference }))).toBe('not_permitted');
    const path = fillPath(api.cancelPaymentLink.path, { reference });
    expect((await office.request('DELETE', path)).status).toBe(401);
  });
});

describe('a payment link whose boat is canceled', () => {
  const cancelBoat = async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', sailing]));

  test('ends with a mail, and its page says what happened', async () => {
    const { order, reference } = await sell({ language: 'de' });
    await cancelBoat();
    expect(codeOf(await office.pay(order.id))).toBe('sailing_canceled');
    await endLinksOfCanceledBoats(office.context);
    expect(await listMails()).toEqual(['order-payment-link', 'order-payment-canceled']);
    const [, mail] = await office.context.db.select().from(mails).orderBy(mails.insertedAt);
    if (!mail) throw new Error('There is no mail.');
    const { content } = await prepareMail(office.context, mail, await loadWebSettings(office.context));
    expect(content.subject).toBe(`Ihre Abfahrt fällt aus · ${reference}`);
    const shown = await office.readOrder(order.id);
    expect(shown).toMatchObject({ status: 'canceled', paid: 0, hold: null });
    expect(shown.notice).toContain('A boat of this order was canceled before the order was paid.');
    expect(codeOf(await office.pay(order.id))).toBe('order_closed');
    expect((await look(reference)).payment_link).toBeNull();
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    await endLinksOfCanceledBoats(office.context);
    expect(await office.count('mails')).toBe(2);
  });

  test('pays back what arrives once it has ended', async () => {
    const { order } = await sell();
    const intent = await startPaying(order.id);
    await cancelBoat();
    await expireWithoutProvider();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'canceled', tickets: [], refunds: [{ amount: order.total }] },
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  });

  test('gives those who had paid a moment before the choice of every buyer', async () => {
    const { order } = await sell();
    await office.confirmWith(await startPaying(order.id));
    await cancelBoat();
    await endLinksOfCanceledBoats(office.context);
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
    expect(await listMails()).not.toContain('order-payment-canceled');
  });

  test('is left alone while its boats run, and so is an order that a buyer makes online', async () => {
    await sell();
    const online = await office.takeOrder();
    await endLinksOfCanceledBoats(office.context);
    expect(await listMails()).toEqual(['order-payment-link']);
    await cancelBoat();
    await endLinksOfCanceledBoats(office.context);
    expect((await office.readOrder(online.id)).status).toBe('held');
  });
});

/** Opens the office with a boat for so many people. */
async function openSmallBoat(passengers: number): Promise<void> {
  await office.reopen({ passengers });
  sailing = office.ferry.outward[0] ?? '';
  desk = await signInClerk(office, 'desk');
}

/** Lets the deadlines pass while the card provider does not answer, so that no open payment can be closed. */
async function expireWithoutProvider(): Promise<void> {
  const fetch = office.provider.fetch;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  office.clock.advance(131 * MINUTE);
  await expireDueHolds(office.context);
  office.provider.fetch = fetch;
}
