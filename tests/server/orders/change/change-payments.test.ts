import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportSales } from '#server/operations/sales-report.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Bought = TestReply['body'];
const MINUTE = 60_000;
let office: Office;
let buyer: ReturnType<typeof changesOf>;
let sailing: string;
let later: string;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 6 });
  [sailing = '', later = ''] = office.ferry.outward;
});

const valid = (order: Bought): Bought[] =>
  order.tickets.filter(({ status }: { status: string }) => status === 'issued');

/** Two people who become three on a later sailing: one more adult is to be paid. */
async function makeChange(): Promise<{ order: Bought; change: Bought }> {
  const order = await buyer.buy({ adults: 2 });
  const change = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 3 }]));
  return { order, change };
}

async function startPayment(started: { order: Bought; change: Bought }): Promise<string> {
  return intentOf(must(await buyer.startPayment(started.order, started.change)));
}

async function expectUnchanged(order: Bought): Promise<void> {
  const current = await office.readOrder(order.id);
  expect(current).toMatchObject({ total: order.total, paid: order.paid, legs: [{ sailing_id: sailing }] });
  expect(valid(current).map(({ id }) => id)).toEqual(valid(order).map(({ id }) => id));
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
}

async function runJobs(): Promise<void> {
  office.clock.advance(2 * MINUTE);
  await office.jobs.send('reconcile-payments', {});
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

describe('a change with a difference to pay', () => {
  test('counts among the sales of the day of its payment, and leaves those of the purchase as they were', async () => {
    const zone = 'UTC';
    const report = async (day: string) =>
      (await reportSales(office.context.db, { from: day, until: day, zone })).rows;
    const today = office.clock.now().toISOString().slice(0, 10);
    const order = await buyer.buy({ adults: 2 });
    const before = await report(today);
    expect(before[0]?.slice(0, 5)).toEqual([today, 1, 2, 0, '25.50']);
    office.clock.advance(10 * 60 * MINUTE);
    const change = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 3 }]));
    await office.confirmWith(await startPayment({ order, change }));
    await office.provider.deliverNow();
    expect(await report(today)).toEqual(before);
    const tomorrow = office.clock.now().toISOString().slice(0, 10);
    expect((await report(tomorrow))[0]?.slice(0, 5)).toEqual([tomorrow, 0, 0, 0, '12.75']);
  });

  test('holds its places and leaves the order as it is until it is paid', async () => {
    const { order, change } = await makeChange();
    expect(change).toMatchObject({ status: 'held', difference: 1275 });
    expect(Date.parse(change.expires_at)).toBe(office.clock.now().getTime() + 10 * MINUTE);
    expect(await office.taken(later)).toMatchObject({ passenger: [3, 0] });
    await expectUnchanged(order);
    const intent = await startPayment({ order, change });
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'awaiting_payment' });
    await expectUnchanged(order);
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const changed = await office.readOrder(order.id);
    expect(changed).toMatchObject({ status: 'confirmed', payment_status: 'paid', total: 3825, paid: 3825 });
    expect(valid(changed)).toHaveLength(3);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 3] });
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'done', expires_at: null });
    expect(await office.count('mails:order-changed')).toBe(1);
    expect(codeOf(await buyer.startPayment(order, change))).toBe('already_paid');
  });

  test('holds only the additional places of the same boat', async () => {
    await office.reopen({ passengers: 3 });
    [sailing = ''] = office.ferry.outward;
    const order = await buyer.buy({ adults: 2 });
    const change = must(await buyer.change(order, [{ direction: 'out', to: [sailing], adults: 3 }]));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 2] });
    await office.confirmWith(await startPayment({ order, change }));
    await office.provider.deliverNow();
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 3] });
  });

  test('is done by the poll or the job if the webhook is lost, and not closed by the job before', async () => {
    const { order, change } = await makeChange();
    const payment = must(await buyer.startPayment(order, change));
    await runJobs();
    expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'created' });
    await office.confirmWith(intentOf(payment));
    expect(await office.readPayment(order.id, payment.id)).toMatchObject({ status: 'succeeded' });
    expect(valid(await office.readOrder(order.id))).toHaveLength(3);
    await runJobs();
    expect(await office.count('order_changes')).toBe(1);
    expect(await office.count('mails:order-changed')).toBe(1);
  });

  test('waits for the bank, and takes another card after a decline', async () => {
    const { order, change } = await makeChange();
    const intent = await startPayment({ order, change });
    await office.confirmWith(intent, 'pm_card_visa_chargeDeclined');
    await office.provider.deliverNow();
    await expectUnchanged(order);
    office.clock.advance(5 * MINUTE);
    await office.confirmWith(intent, 'pm_card_authenticationRequired');
    await office.provider.deliverNow();
    await expectUnchanged(order);
    office.clock.advance(8 * MINUTE);
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'awaiting_payment' });
    expect(await office.taken(later)).toMatchObject({ passenger: [3, 0] });
  });

  test('is abandoned by its buyer, or by the next change of the order', async () => {
    const { order, change } = await makeChange();
    await startPayment({ order, change });
    expect(must(await buyer.abandon(order, change))).toMatchObject({ status: 'abandoned', expires_at: null });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    await expectUnchanged(order);
    expect(codeOf(await buyer.startPayment(order, change))).toBe('order_closed');
    const second = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 4 }]));
    const third = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 3 }]));
    expect(await buyer.readChange(order, second)).toMatchObject({ status: 'abandoned' });
    expect(await buyer.readChange(order, third)).toMatchObject({ status: 'held' });
    expect(await office.taken(later)).toMatchObject({ passenger: [3, 0] });
  });

  test('expires and leaves the order as it was', async () => {
    const { order, change } = await makeChange();
    office.clock.advance(11 * MINUTE);
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'expired' });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(codeOf(await buyer.startPayment(order, change))).toBe('hold_expired');
    await expectUnchanged(order);
  });

  test('is done after a late payment if there is still room', async () => {
    const { order, change } = await payTooLate();
    await office.provider.deliverNow();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'done' });
    expect(await office.readOrder(order.id)).toMatchObject({ paid: 3825, legs: [{ sailing_id: later }] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 3] });
  });

  test('gives a late payment back without room, and the order stays as it was', async () => {
    const { order, change } = await payTooLate();
    await office.database.store.query(`update voyage_capacity set sellable_online = held + sold`);
    await office.provider.deliverNow();
    await runJobs();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'refused' });
    const current = await office.readOrder(order.id);
    expect(current).toMatchObject({ status: 'confirmed', paid: 2550, refunded: 0, payment_status: 'paid' });
    expect(current.refunds).toMatchObject([{ amount: 1275, status: 'succeeded' }]);
    await expectUnchanged(order);
    expect(await office.count('mails:order-change-refused')).toBe(1);
  });

  test('gives the payment back if tickets were canceled meanwhile', async () => {
    const { order, change } = await makeChange();
    const intent = await startPayment({ order, change });
    await office.database.store.query(`update tickets set status = 'boarded' where id = $1`, [
      order.tickets[0].id,
    ]);
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    expect(await buyer.readChange(order, change)).toMatchObject({ status: 'refused' });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(await office.readOrder(order.id)).toMatchObject({ legs: [{ sailing_id: sailing }], paid: 2550 });
  });
});

/** A change that expired while the provider was unavailable, and whose payment then succeeded. */
async function payTooLate(): Promise<{ order: Bought; change: Bought }> {
  const made = await makeChange();
  const intent = await startPayment(made);
  const fetch = office.provider.fetch;
  office.provider.fetch = async () => {
    throw new TypeError('fetch failed');
  };
  await office.database.store.query('update holds set expires_at_max = expires_at');
  office.clock.advance(11 * MINUTE);
  expect(await buyer.readChange(made.order, made.change)).toMatchObject({ status: 'expired' });
  office.provider.fetch = fetch;
  await office.confirmWith(intent);
  return made;
}

describe('a trip card', () => {
  async function makeOwnChange(balance: number) {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance });
    const order = await buyer.buy({ adults: 2 });
    await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
    const { token } = holder;
    const change = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 3 }], { token }));
    return { holder, card, order, change, token };
  }

  async function balanceOf(id: string) {
    const [row] = await office.database.store.query<{ balance: number; held: number }>(
      'select balance::int as balance, held::int as held from trip_cards where id = $1',
      [id],
    );
    return row;
  }

  test('pays the difference at once', async () => {
    const { card, order, change, token } = await makeOwnChange(5000);
    const body = { method: 'trip_card', trip_card_id: card.id };
    expect(must(await buyer.startPayment(order, change, body, token))).toMatchObject({ status: 'succeeded' });
    expect(await office.readOrder(order.id)).toMatchObject({ paid: 3825, total: 3825 });
    expect(await balanceOf(card.id)).toEqual({ balance: 3725, held: 0 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('pays a part, which is reserved until the payment card has paid the rest', async () => {
    const { card, order, change, token } = await makeOwnChange(5000);
    const body = { method: 'card', trip_card_id: card.id, trip_card_amount: 1000 };
    const started = must(await buyer.startPayment(order, change, body, token));
    expect(started).toMatchObject({ amount: 275, trip_card_amount: 1000 });
    expect(await balanceOf(card.id)).toEqual({ balance: 5000, held: 1000 });
    await office.confirmWith(intentOf(started));
    await office.provider.deliverNow();
    expect(await balanceOf(card.id)).toEqual({ balance: 4000, held: 0 });
    expect(await office.readOrder(order.id)).toMatchObject({ paid: 3825, total: 3825 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('gets its reserved part back when the change is abandoned', async () => {
    const { card, order, change, token } = await makeOwnChange(5000);
    const body = { method: 'card', trip_card_id: card.id, trip_card_amount: 1000 };
    must(await buyer.startPayment(order, change, body, token));
    const again = must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 4 }], { token }));
    expect(again).toMatchObject({ status: 'held' });
    expect(await balanceOf(card.id)).toEqual({ balance: 5000, held: 0 });
  });
});
