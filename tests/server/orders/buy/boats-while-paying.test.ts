import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { mails } from '#server/database/schema/system.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { registerNoRoomJobs } from '#server/sailings/exceptions/review-room.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { cardHolder, createTripCard } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Order = TestReply['body'];
let office: Office;
let buyer: ReturnType<typeof changesOf>;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
  await registerNoRoomJobs(office.context);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 6, laneCm: 3000 });
  const { db } = office.context;
  const [boat] = await db.select().from(vessels);
  if (!boat) throw new Error('The ferry has a boat.');
  await db
    .insert(vessels)
    .values({ ...boat, id: 'ves_skiff', code: 'skiff', passengerCapacity: 2, laneCm: 0, tallLaneCm: 0 });
});

async function run(...args: string[]): Promise<void> {
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
  office.clock.advance(1000);
}

const out = (index: number) => office.ferry.outward[index] ?? '';

/** An open payment, started a second after what came before. */
async function startToPay(options: Parameters<Office['takePayment']>[0] = {}) {
  office.clock.advance(1000);
  const started = await office.takePayment(options);
  office.clock.advance(1000);
  return started;
}

/** The payment arrives a second after what came before, and no job has run. */
async function pay({ order, intent }: { order: Order; intent: string }): Promise<Order> {
  office.clock.advance(1000);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

async function choiceOf(orderId: string) {
  const { db } = office.context;
  const offers = await db.select().from(rebookingOffers).where(eq(rebookingOffers.orderId, orderId));
  const sent = await db.select().from(mails).where(eq(mails.orderId, orderId));
  return {
    offers: offers.map(({ reason, protectedSailingIds }) => [reason, protectedSailingIds]),
    mails: sent.map(({ kind }) => kind).toSorted(),
  };
}

describe('a smaller boat while places are held', () => {
  it('gives the orders that are paid later and do not fit their choice as soon as they are paid', async () => {
    const first = await startToPay({ adults: 2 });
    const second = await startToPay({ adults: 2 });
    await run('vessel', out(0), 'skiff');
    expect(await pay(first)).toMatchObject({ status: 'confirmed', needs_attention: null });
    expect(await pay(second)).toMatchObject({ status: 'confirmed', needs_attention: 'no_room' });
    expect(await choiceOf(second.order.id)).toEqual({
      offers: [['no_room', [out(1)]]],
      mails: ['order-confirmed', 'sailing-overbooked'],
    });
    expect(await choiceOf(first.order.id)).toEqual({ offers: [], mails: ['order-confirmed'] });
  });

  it('looks at lane meters, too, and at an order that pays with a trip card', async () => {
    const { customer, token } = await cardHolder(office);
    const card = await createTripCard(office.context, customer.id, { balance: 9000 });
    const vehicle = { type: 'car', length_cm: 543, height_cm: 150 };
    const order = await office.takeOrder({ vehicle });
    office.clock.advance(1000);
    await run('vessel', out(0), 'skiff');
    const body = { method: 'trip_card', trip_card_id: card.id };
    const path = `/api/orders/${order.id}/payments`;
    must(await office.request('POST', path, { body, token, idempotencyKey: crypto.randomUUID() }));
    expect(await office.readOrder(order.id)).toMatchObject({ needs_attention: 'no_room' });
    expect((await choiceOf(order.id)).mails).toContain('sailing-overbooked');
  });

  it('looks at an order that costs nothing', async () => {
    await startToPay({ adults: 2 }).then(pay);
    const { quote, hold } = await office.takeHold({ adults: 1 });
    await run('vessel', out(0), 'skiff');
    const order = must(await office.order(hold.id, quote.id));
    await office.database.store.query(
      `update order_lines set unit_amount = 0, amount = 0 where order_id = $1`,
      [order.id],
    );
    await office.database.store.query(`update orders set total = 0, subtotal = 0 where id = $1`, [order.id]);
    must(await office.order(hold.id, quote.id));
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'confirmed',
      needs_attention: 'no_room',
    });
  });

  it('is looked at by the job if the process died after the sale', async () => {
    const first = await startToPay({ adults: 2 }).then(pay);
    const second = await startToPay({ adults: 2 }).then(pay);
    await office.database.store.query(`update voyages set vessel_id = 'ves_skiff'`);
    await office.database.store.query(`update sailings set oversubscribed = true where id = $1`, [out(0)]);
    await office.jobs.send('clear-no-room', {});
    await office.jobs.runJobs();
    expect(await office.readOrder(second.id)).toMatchObject({ needs_attention: 'no_room' });
    expect(await office.readOrder(first.id)).toMatchObject({ needs_attention: null });
    await office.jobs.send('clear-no-room', {});
    await office.jobs.runJobs();
    expect((await choiceOf(second.id)).mails).toEqual(['order-confirmed', 'sailing-overbooked']);
  });
});

describe('a boat canceled while its buyer pays', () => {
  it('gives the buyer the choice as soon as the payment arrives', async () => {
    const started = await startToPay({ adults: 2 });
    await run('cancel', out(0));
    expect(await pay(started)).toMatchObject({ status: 'confirmed', needs_attention: 'sailing_canceled' });
    expect(await choiceOf(started.order.id)).toEqual({
      offers: [['sailing_canceled', [out(1)]]],
      mails: ['order-confirmed', 'sailing-canceled'],
    });
  });

  it('is refused before the card is charged when the payment is continued', async () => {
    const { order } = await startToPay();
    await run('cancel', out(0));
    expect(codeOf(await office.pay(order.id))).toBe('sailing_canceled');
  });
});

describe('a delay while its buyer pays', () => {
  it('gives the buyer the choice as soon as the payment arrives', async () => {
    const started = await startToPay();
    await run('delay', out(0), '150');
    expect(await pay(started)).toMatchObject({ needs_attention: 'sailing_changed' });
    expect(await choiceOf(started.order.id)).toEqual({
      offers: [['sailing_delayed', [out(1)]]],
      mails: ['order-confirmed', 'sailing-delayed'],
    });
  });

  it('gives no choice to a buyer who saw it before choosing the boat', async () => {
    await run('delay', out(0), '150');
    const started = await startToPay();
    expect(await pay(started)).toMatchObject({ needs_attention: null });
    expect(await choiceOf(started.order.id)).toEqual({ offers: [], mails: ['order-confirmed'] });
  });
});

describe('a change of an order whose new boat changes while it is paid', () => {
  async function startChange(): Promise<{ order: Order; change: Order; intent: string }> {
    const order = await startToPay({ adults: 2 }).then(pay);
    const change = must(await buyer.change(order, [{ direction: 'out', to: [out(1)], adults: 3 }]));
    office.clock.advance(1000);
    return { order, change, intent: intentOf(must(await buyer.startPayment(order, change))) };
  }

  async function expectRefused({ order, change, intent }: Awaited<ReturnType<typeof startChange>>) {
    await pay({ order, intent });
    office.clock.advance(2 * 60_000);
    await office.jobs.send('reconcile-payments', {});
    await office.jobs.send('clear-no-room', {});
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'confirmed', needs_attention: null, paid: 2550, legs: [{ sailing_id: out(0) }] },
      refunds: [{ amount: 1275, status: 'succeeded' }],
    });
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'refused' });
    expect(await office.taken(out(1))).toMatchObject({ passenger: [0, 0] });
    expect((await choiceOf(order.id)).mails).toContain('order-change-refused');
    expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  }

  it('is not made if that boat is canceled; the money goes back', async () => {
    const started = await startChange();
    await run('cancel', out(1));
    await expectRefused(started);
  });

  it('is not made if that boat has become too small; the money goes back', async () => {
    const started = await startChange();
    await run('vessel', out(1), 'skiff');
    await expectRefused(started);
  });

  it('is made if that boat is late, and gives its buyer the choice', async () => {
    const { order, intent } = await startChange();
    await run('delay', out(1), '150');
    const changed = await pay({ order, intent });
    expect(changed).toMatchObject({ needs_attention: 'sailing_changed', legs: [{ sailing_id: out(1) }] });
    expect((await choiceOf(order.id)).offers).toEqual([['sailing_delayed', [out(2)]]]);
  });
});
