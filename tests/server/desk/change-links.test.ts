import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { ChangeQuote, UnpaidChange } from '#contract/orders/change/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { registerChangeJobs } from '#server/orders/change/end-unpaid-changes.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { buyTickets, type Clerk, listActions, signInClerk } from '#tests/factories/staff-desk.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

const MINUTE = 60_000;
const CAR = { type: 'car', length_cm: 450 };

let office: Office;
let buyer: ReturnType<typeof changesOf>;
let clerk: Clerk;
let sailing: string;
let later: string;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
  findContradictions = prepareQueries(office);
  await registerChangeJobs(office.context);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [sailing = '', later = ''] = office.ferry.outward;
  clerk = await signInClerk(office, 'desk');
});

/** Two adults whose fare costs a fee to change. */
async function buy() {
  const order = await buyTickets(office, 2);
  await takeFee();
  return order;
}

async function takeFee(): Promise<void> {
  const change = JSON.stringify({ change: { allowed: true, fee: 500, until_minutes: 60 } });
  await office.database.store.query('update orders set fare_policy = fare_policy || $1::jsonb', [change]);
}

/** Holds the places on the later boat, and mails the link. */
async function mailLink(reference: string, payment: object = { minutes: 120 }): Promise<TestReply> {
  const journeys = [{ direction: 'out', sailing_ids: [later] }];
  const quoted = must(await clerk.call(api.quoteStaffChange, { reference }, { journeys }));
  const { version, difference } = quoted as ChangeQuote;
  const body = { journeys, version, difference, payment: { method: 'link', ...payment } };
  return clerk.call(api.changeStaffOrder, { reference }, body);
}

const look = async (reference: string): Promise<StaffOrder> =>
  must(await clerk.call(api.getStaffOrder, { reference }));

const askForChange = (id: string, options: object = {}) =>
  office.request('GET', fillPath(api.getUnpaidChange.path, { id }), options);

async function readChange(id: string): Promise<UnpaidChange | null> {
  const { change } = must(await askForChange(id));
  expect((await office.readOrder(id)).change_to_pay_until).toBe(change?.expires_at ?? null);
  return change;
}

async function requireChange(id: string): Promise<UnpaidChange> {
  const change = await readChange(id);
  if (!change) throw new Error('There is no change to pay.');
  return change;
}

async function listMails(): Promise<string[]> {
  const rows = await office.context.db.select({ kind: mails.kind }).from(mails);
  return rows
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'order-confirmed')
    .toSorted();
}

async function renderMail(kind: string): Promise<string> {
  const [mail] = await office.context.db.select().from(mails).where(eq(mails.kind, kind));
  if (!mail) throw new Error(`There is no mail ${kind}.`);
  const { content } = await prepareMail(office.context, mail, await loadWebSettings(office.context));
  return `${content.subject}\n${content.text}`.replaceAll(/\s+/g, ' ');
}

async function cancelBoat(id: string): Promise<void> {
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', id]));
}

async function pay(id: string): Promise<void> {
  await office.confirmWith(intentOf(must(await buyer.startPayment({ id }, await requireChange(id)))));
  await office.provider.deliverNow();
}

/** The vehicles of the tickets that are valid. */
async function listVehicles(id: string): Promise<string[]> {
  const { tickets } = await office.readOrder(id);
  return tickets
    .filter(({ kind, status }: { kind: string; status: string }) => kind === 'vehicle' && status === 'issued')
    .map(({ leg, title }: { leg: string; title: string }) => `${leg}: ${title}`)
    .toSorted();
}

async function runJobs(): Promise<void> {
  for (const job of ['expire-holds', 'end-unpaid-changes'] as const) await office.jobs.send(job, {});
  await office.jobs.runJobs();
}

async function expectUnchanged(id: string): Promise<void> {
  const order = await office.readOrder(id);
  expect(order).toMatchObject({ total: 2550, paid: 2550, legs: [{ sailing_id: sailing }] });
  expect(order.tickets.map(({ status }: { status: string }) => status)).toEqual(['issued', 'issued']);
  expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
  expectNone(await findContradictions());
}

describe('POST /api/staff/orders/{reference}/changes with a payment link', () => {
  test('holds the new places, mails the link, and leaves the order as it is', async () => {
    const { id, reference } = await buy();
    const payUntil = new Date(office.clock.now().getTime() + 120 * MINUTE).toISOString();
    const changed: StaffOrder = must(await mailLink(reference));
    expect(changed.order).toMatchObject({ total: 2550, paid: 2550, legs: [{ sailing_id: sailing }] });
    expect(changed.payment_link).toMatchObject({
      ...{ pay_until: payUntil, is_mailed: true },
      change: { difference: 500, legs: [{ leg: 'out', sailing_id: later }] },
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(await office.taken(later)).toMatchObject({ passenger: [2, 0] });
    expect(await listMails()).toEqual(['order-change-link']);
    const mail = await renderMail('order-change-link');
    expect(mail).toContain('Pay for the change of your order');
    expect(mail).toContain(`/orders/${id}/change`);
    expect(mail).toContain('Pay $5.00');
    expect(mail).toContain('Please pay by card until 10:00 AM PDT on Mon, June 1, 2026.');
    expect(mail).toContain('10:00 AM PDT, North Quay');
    expect(listActions(changed)).toEqual(['change_link_sent']);
    expect(changed.audit[0]?.changes).toEqual([
      { field: 'difference', before: null, after: 500 },
      { field: 'fee', before: null, after: 500 },
      { field: 'out_departure', before: '2026-06-02 08:00', after: '2026-06-02 10:00' },
      { field: 'pay_until_at', before: null, after: payUntil },
    ]);
    expectNone(await findContradictions());
  });

  test('is paid by the buyer by card, which moves the order', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    office.clock.advance(100 * MINUTE);
    await runJobs();
    const change = await requireChange(id);
    expect(change).toMatchObject({
      ...{ status: 'held', difference: 500, currency: 'USD' },
      legs: [{ leg: 'out', sailing_id: later }],
    });
    await office.confirmWith(intentOf(must(await buyer.startPayment({ id }, change))));
    await office.provider.deliverNow();
    expect(await office.readOrder(id)).toMatchObject({
      ...{ status: 'confirmed', total: 3050, paid: 3050, payment_status: 'paid' },
      legs: [{ sailing_id: later }],
    });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2] });
    expect(await listMails()).toEqual(['order-change-link', 'order-changed']);
    expect(await readChange(id)).toBeNull();
    const { payment_link: link, changes } = await look(reference);
    expect(link).toBeNull();
    expect(changes).toMatchObject([{ actor: 'operator', status: 'done', difference: 500 }]);
    expectNone(await findContradictions());
  });

  test('keeps a license plate that was corrected before it was paid', async () => {
    const { order, intent } = await office.takePayment({ vehicle: CAR });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await takeFee();
    const { id, reference, buyer_secret } = order;
    must(await mailLink(reference));
    const correction = { plate: 'NEW 111', buyer_secret };
    must(await office.request('PATCH', fillPath(api.changeOrder.path, { id }), { body: correction }));
    await pay(id);
    expect(await office.readOrder(id)).toMatchObject({ plate: 'NEW 111', legs: [{ sailing_id: later }] });
    expect(await listVehicles(id)).toEqual(['out: Car, NEW 111']);
    expectNone(await findContradictions());
  });

  test('keeps the vehicle of a journey if the other one has another', async () => {
    const [, booked = '', changed = ''] = office.ferry.back;
    const bought = await buyer.buy({ legs: [sailing, booked], vehicle: CAR });
    const back = { direction: 'back' as const, to: [changed], adults: 1, vehicle: CAR };
    must(await buyer.change(bought, [back], { plate: 'BACK 1' }));
    await takeFee();
    must(await mailLink(bought.reference));
    await pay(bought.id);
    expect(await listVehicles(bought.id)).toEqual(['back: Car, BACK 1', 'out: Car, 5KJH 220']);
    expectNone(await findContradictions());
  });

  test('ends at the deadline, and the buyer is told that the order stays as it was', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    const change = await requireChange(id);
    office.clock.advance(121 * MINUTE);
    await runJobs();
    expect(await readChange(id)).toBeNull();
    expect((await look(reference)).payment_link).toBeNull();
    expect(codeOf(await buyer.startPayment({ id }, change))).toBe('hold_expired');
    expect(await listMails()).toEqual(['order-change-ended', 'order-change-link']);
    expect(await renderMail('order-change-ended')).toContain('was not paid in time');
    await expectUnchanged(id);
    // The mail is written when it is sent.
    await buyer.change(await office.readOrder(id), [{ direction: 'out', to: [later], adults: 2 }]);
    expect(await renderMail('order-change-ended')).toContain('was not paid in time');
  });

  test('ends if the new boat is canceled, and the buyer is told', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    await cancelBoat(later);
    await runJobs();
    expect(await readChange(id)).toBeNull();
    expect(await listMails()).toEqual(['order-change-ended', 'order-change-link']);
    expect(await renderMail('order-change-ended')).toContain('a boat no longer runs as planned');
    await expectUnchanged(id);
  });

  test('ends if the booked boat is canceled, because the buyer may choose another one at no charge', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    await cancelBoat(sailing);
    await runJobs();
    expect(await readChange(id)).toBeNull();
    expect(await listMails()).toEqual([...['order-change-ended', 'order-change-link', 'sailing-canceled']]);
    expect(await office.readOrder(id)).toMatchObject({ needs_attention: 'sailing_canceled', paid: 2550 });
    expectNone(await findContradictions());
  });

  test('ends if the booked boat has no room for the order any more, and the buyer is told no other reason', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    await office.context.db.update(orders).set({ needsAttention: 'no_room' }).where(eq(orders.id, id));
    await runJobs();
    expect(await readChange(id)).toBeNull();
    expect(await renderMail('order-change-ended')).toContain('a boat no longer runs as planned');
  });

  test('is refused while a booked boat is canceled, because it would end at once', async () => {
    const { id, reference } = await buy();
    await cancelBoat(sailing);
    const { store } = office.database;
    await store.query('update fares set amount = amount * 2');
    await store.query(`update feed set revision = 'dearer'`);
    expect(codeOf(await mailLink(reference))).toBe('change_not_allowed');
    expect(await office.count('order_changes')).toBe(0);
    expect(await listMails()).toEqual(['sailing-canceled']);
    expect(await office.readOrder(id)).toMatchObject({ total: 2550, paid: 2550 });
    expectNone(await findContradictions());
  });

  test('can be paid until check-in ends or the booked boat departs, and is refused after that', async () => {
    const { reference } = await buy();
    const departs = new Date('2026-06-02T15:00:00.000Z').getTime();
    office.clock.advance(departs - 120 * MINUTE - office.clock.now().getTime());
    clerk = await signInClerk(office, 'desk');
    const { payment_link: link }: StaffOrder = must(await mailLink(reference, { minutes: 24 * 60 }));
    expect(link?.pay_until).toBe(new Date(departs).toISOString());
  });

  test('is not paid while the bank decides about the order’s own payment, and a payment in progress goes back', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    const change = await requireChange(id);
    const intent = intentOf(must(await buyer.startPayment({ id }, change)));
    await office.context.db.update(orders).set({ paymentStatus: 'disputed' }).where(eq(orders.id, id));
    const { errors } = (await buyer.startPayment({ id }, change)).body;
    expect(errors).toMatchObject([{ code: 'change_not_allowed', reason: 'change_disputed' }]);
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await office.jobs.runJobs();
    expect(await office.readOrder(id)).toMatchObject({
      ...{ payment_status: 'disputed', total: 2550, paid: 2550 },
      legs: [{ sailing_id: sailing }],
    });
    expect(await listMails()).toEqual(['order-change-link', 'order-change-refused']);
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expectNone(await findContradictions());
  });

  test('is refused without an address, with a wrong time, and after the new boat’s sales ended', async () => {
    const { id, reference } = await buy();
    expect(codeOf(await mailLink(reference, { minutes: 1 }))).toBe('invalid_input');
    await office.context.db.update(orders).set({ contactEmail: '' }).where(eq(orders.id, id));
    expect(codeOf(await mailLink(reference))).toBe('order_closed');
    expect(await office.count('order_changes')).toBe(0);
    await office.context.db.update(orders).set({ contactEmail: contact.email });
    await office.database.store.query(`update sailings set check_in_closed_at = now() where id = $1`, [
      later,
    ]);
    expect(codeOf(await mailLink(reference))).toBe('sales_closed');
    await expectUnchanged(id);
  });

  test('is replaced by a change that is paid in cash, and by the buyer’s own', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    const first = await requireChange(id);
    const order = await office.readOrder(id);
    const own = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 2 }]));
    expect(await buyer.readChange(order, first)).toMatchObject({ status: 'abandoned' });
    expect(await readChange(id)).toBeNull();
    expect(await buyer.readChange(order, own)).toMatchObject({ status: 'held' });
    must(await mailLink(reference, { minutes: 120 }));
    const { order: moved }: StaffOrder = must(
      await clerk.call(
        api.changeStaffOrder,
        { reference },
        {
          ...{
            journeys: [{ direction: 'out', sailing_ids: [later] }],
            version: order.version,
            difference: 500,
          },
          payment: { method: 'cash' },
        },
      ),
    );
    expect(moved).toMatchObject({ total: 3050, paid: 3050 });
    expect((await look(reference)).payment_link).toBeNull();
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2] });
    expectNone(await findContradictions());
  });
});

describe('the payment link of a change', () => {
  test('is mailed again', async () => {
    const { reference } = await buy();
    must(await mailLink(reference));
    const { audit }: StaffOrder = must(await clerk.call(api.mailPaymentLink, { reference }));
    expect(audit.map(({ action }) => action)).toContain('payment_link_mailed');
    expect(await listMails()).toEqual(['order-change-link', 'order-change-link']);
  });

  test('is taken back, after which nothing can be paid', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    const change = await requireChange(id);
    await buyer.startPayment({ id }, change);
    const taken: StaffOrder = must(await clerk.call(api.cancelPaymentLink, { reference }));
    expect(taken.payment_link).toBeNull();
    expect(listActions(taken)).toContain('change_link_canceled');
    expect(codeOf(await buyer.startPayment({ id }, change))).toBe('order_closed');
    expect(await listMails()).toEqual(['order-change-link']);
    await expectUnchanged(id);
    expect(codeOf(await clerk.call(api.cancelPaymentLink, { reference }))).toBe('already_paid');
  });

  test('is not kept by a buyer who keeps the order as it is', async () => {
    const { id, reference } = await buy();
    must(await mailLink(reference));
    must(await buyer.abandon({ id }, await requireChange(id)));
    expect((await look(reference)).payment_link).toBeNull();
    await expectUnchanged(id);
  });
});

describe('GET /api/orders/{id}/unpaid_change', () => {
  test('is only for the owner of an order that belongs to an account', async () => {
    const { id, reference } = await buy();
    const owner = await createCustomer(office.context);
    await office.context.db.update(orders).set({ customerId: owner.id }).where(eq(orders.id, id));
    must(await mailLink(reference));
    const other = await createCustomer(office.context, { email: 'other@example.com' });
    const [mine, others] = await Promise.all(
      [owner, other].map((each) => startSession(office.context, each.id)),
    );
    expect(codeOf(await askForChange(id))).toBe('unauthenticated');
    expect(codeOf(await askForChange(id, { token: others }))).toBe('not_found');
    expect(must(await askForChange(id, { token: mine })).change).toMatchObject({ difference: 500 });
    expect(codeOf(await askForChange('ord_unknown'))).toBe('not_found');
  });

  test('has neither an unpaid change of the buyer’s own nor one that is done', async () => {
    const { id } = await buy();
    const order = await office.readOrder(id);
    must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 2 }]));
    expect(await readChange(id)).toBeNull();
  });
});
