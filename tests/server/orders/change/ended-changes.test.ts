import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { settleDueOffers } from '#server/orders/rebook/settle-offers.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Bought = TestReply['body'];
const MINUTE = 60_000;
let office: Office;
let buyer: ReturnType<typeof changesOf>;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 6 }));

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';

/** A return trip added to an order, whose payment is started. It replaces no ticket. */
async function addReturn(): Promise<{ order: Bought; change: Bought; intent: string }> {
  const order = await buyer.buy();
  const change = must(await buyer.change(order, [{ direction: 'back', to: [back(3)], adults: 1 }]));
  const intent = intentOf(must(await buyer.startPayment(order, change)));
  return { order: await office.readOrder(order.id), change, intent };
}

async function cancel(order: Bought): Promise<void> {
  const path = (of: string) => fillPath(of as typeof api.getOrder.path, { id: order.id });
  const ids = order.tickets.map(({ id }: { id: string }) => id);
  const send = (of: string, body: object) =>
    office.request('POST', path(of), { body, idempotencyKey: crypto.randomUUID() });
  const quote = must(await send(api.quoteCancellation.path, { ticket_ids: ids })) as CancellationQuote;
  const { version, refund } = quote;
  const proof = await buyer.mailCode(order);
  must(await send(api.cancelTickets.path, { ticket_ids: ids, version, refund, proof }));
}

async function refundByCommand({ reference }: Bought): Promise<void> {
  await refundOrder(office.context, { actor: { kind: 'server' }, reference, toTripCard: null });
}

/** Cancels the boat and lets the time to choose run out. */
async function leaveUnanswered(order: Bought): Promise<void> {
  const [first] = order.legs;
  await executeCommand(
    sailingsCommand,
    office.context,
    await sailingsCommand.read(['cancel', first.sailing_id]),
  );
  office.clock.advance(73 * 60 * MINUTE);
  await settleDueOffers(office.context);
}

async function runJobs(): Promise<void> {
  office.clock.advance(2 * MINUTE);
  await office.jobs.send('reconcile-payments', {});
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

async function expectGivenBack(order: Bought, change: Bought): Promise<void> {
  const current = await office.readOrder(order.id);
  expect(current).toMatchObject({ status: 'canceled', total: 1275, paid: 1275, refunded: 1275 });
  expect(current.tickets.map(({ status }: Bought) => status)).toEqual(['canceled']);
  expect(await buyer.readChange(order, change)).toMatchObject({ expires_at: null });
  expect(await office.taken(back(3))).toMatchObject({ passenger: [0, 0] });
  expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
}

describe('a change of an order that is canceled', () => {
  it('cannot be paid after its customer canceled the order', async () => {
    const { order, change, intent } = await addReturn();
    await cancel(order);
    expect(await office.confirmWith(intent)).toBeInstanceOf(Error);
    expect(codeOf(await buyer.startPayment(order, change))).toBe('order_closed');
    await runJobs();
    await expectGivenBack(order, change);
  });

  it('cannot be paid after the operator refunded the order by command', async () => {
    const { order, change } = await addReturn();
    await refundByCommand(order);
    expect(codeOf(await buyer.startPayment(order, change))).toBe('order_closed');
    await runJobs();
    await expectGivenBack(order, change);
  });

  it('cannot be paid after its canceled boat was refunded without an answer', async () => {
    const order = await buyer.buy();
    const expiresAt = new Date(office.clock.now().getTime() + 80 * 60 * MINUTE);
    const change = must(await buyer.change(order, [{ direction: 'back', to: [back(3)], adults: 1 }]));
    must(await buyer.startPayment(order, change));
    await office.database.store.query(
      `update holds set expires_at = $1, expires_at_max = $1 where status = 'active'`,
      [expiresAt],
    );
    await leaveUnanswered(order);
    expect(codeOf(await buyer.startPayment(order, change))).toBe('order_closed');
    await runJobs();
    await expectGivenBack(order, change);
  });

  it('gives back a payment that was in flight while the order was canceled', async () => {
    const { order, change, intent } = await addReturn();
    await office.confirmWith(intent);
    await refundByCommand(order);
    await office.provider.deliverNow();
    await runJobs();
    expect((await office.readOrder(order.id)).refunds).toMatchObject([
      { amount: 1275, status: 'succeeded' },
      { amount: 1275, status: 'succeeded' },
    ]);
    expect(await office.count('mails:order-change-refused')).toBe(1);
    await expectGivenBack(order, change);
  });

  it('gives back a payment that arrives after the change has expired and the order was canceled', async () => {
    const { order, change, intent } = await addReturn();
    const { fetch } = office.provider;
    office.provider.fetch = async () => {
      throw new TypeError('fetch failed');
    };
    await office.database.store.query('update holds set expires_at_max = expires_at');
    office.clock.advance(11 * MINUTE);
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'expired' });
    await refundByCommand(order);
    office.provider.fetch = fetch;
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await runJobs();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'refused' });
    await expectGivenBack(order, change);
  });

  it('returns the reserved part of a trip card and does not spend the card', async () => {
    const { customer, token } = await cardHolder(office);
    const card = await createTripCard(office.context, customer.id, { balance: 5000 });
    const order = await buyer.buy();
    await office.database.store.query('update orders set customer_id = $1', [customer.id]);
    const change = must(
      await buyer.change(order, [{ direction: 'back', to: [back(3)], adults: 1 }], { token }),
    );
    const part = { method: 'card', trip_card_id: card.id, trip_card_amount: 1000 };
    must(await buyer.startPayment(order, change, part, token));
    await refundByCommand(order);
    await runJobs();
    const whole = { method: 'trip_card', trip_card_id: card.id };
    expect(codeOf(await buyer.startPayment(order, change, whole, token))).toBe('order_closed');
    const [row] = await office.database.store.query(
      'select balance::int as balance, held::int as held from trip_cards where id = $1',
      [card.id],
    );
    expect(row).toEqual({ balance: 5000, held: 0 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  it('is not done by a database that still has it open on a canceled order', async () => {
    const { order, change, intent } = await addReturn();
    await refundByCommand(order);
    await office.database.store.query(
      `update order_changes set status = 'expired', lines = $1::jsonb where id = $2`,
      [JSON.stringify([returnLine()]), change.id],
    );
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    await runJobs();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'refused' });
    await expectGivenBack(order, change);
  });
});

const returnLine = () => ({
  ...{ leg: 'back', sailingId: back(3), kind: 'passenger', typeCode: 'adult', description: 'Adult' },
  ...{ quantity: 1, unitAmount: 1275, amount: 1275, taxBp: 0, tax: 0, vehicle: null, plate: null },
  ...{ takes: [{ resource: 'passenger', amount: 1 }], partyIndexes: [1] },
});

describe('a second change of an order', () => {
  it('replaces the change that another tab made at the same time', async () => {
    const { customer, token } = await cardHolder(office);
    const order = await buyer.buy();
    await office.database.store.query('update orders set customer_id = $1', [customer.id]);
    const journeys = [{ direction: 'back' as const, to: [back(3)], adults: 1 }];
    const tabs = [
      await buyer.prepareChange(order, journeys, token),
      await buyer.prepareChange(order, journeys, token),
    ];
    const changes = (await Promise.all(tabs.map((make) => make()))).map(must);
    const states = await Promise.all(changes.map((change) => buyer.readChange(order, change, token)));
    expect(states.map(({ status }) => status).toSorted()).toEqual(['abandoned', 'held']);
    expect(await office.taken(back(3))).toMatchObject({ passenger: [1, 0] });
  });

  it('is not paid with the payment that was opened for the first', async () => {
    const { order, change, intent } = await addReturn();
    await office.database.store.query(`update order_changes set status = 'abandoned' where id = $1`, [
      change.id,
    ]);
    await office.database.store.query(`update holds set status = 'released' where status = 'active'`);
    await office.database.store.query(`update voyage_capacity set held = 0`);
    const second = must(await buyer.change(order, [{ direction: 'back', to: [back(4)], adults: 1 }]));
    const started = must(await buyer.startPayment(order, second));
    expect(intentOf(started)).not.toBe(intent);
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      paid: 2550,
      legs: [{ sailing_id: out(0) }, { sailing_id: back(4) }],
    });
  });
});

describe('rebooking after a cancellation', () => {
  it('ends the change that waits for its payment, and gives back a payment of it that arrives', async () => {
    const { order, change, intent } = await addReturn();
    await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', out(0)]));
    await office.confirmWith(intent, 'pm_card_authenticationRequired');
    const { version } = await office.readOrder(order.id);
    const body = { direction: 'out', version, sailing_ids: [out(1)] };
    const reply = await office.request('POST', `/api/orders/${order.id}/rebook`, {
      body,
      idempotencyKey: crypto.randomUUID(),
    });
    expect(must(reply)).toMatchObject({ status: 'confirmed', legs: [{ sailing_id: out(1) }] });
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'abandoned' });
    expect(await office.taken(back(3))).toMatchObject({ passenger: [0, 0] });
    expect(await office.confirmWith(intent)).toBeInstanceOf(Error);
    expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  });
});
