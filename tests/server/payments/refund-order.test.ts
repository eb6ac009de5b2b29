import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { describeRefund, refundCommand } from '#server/commands/refund-order.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { type OrderMailKind, orderMailContent } from '#server/mail/templates/order.ts';
import { previewRefund, refundOrder } from '#server/orders/pay/refund-order.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { firstLineOf, runCommandLine } from '#tests/setup/command-line.ts';

let office: Office;
let sailing: string;
let holder: Awaited<ReturnType<typeof cardHolder>>;
let card: Awaited<ReturnType<typeof createTripCard>>;
let order: { id: string; total: number; reference: string };
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  holder = await cardHolder(office);
  card = await createTripCard(office.context, holder.customer.id, { balance: 5000 });
  order = await office.takeOrder({ adults: 2 });
  await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
});

/** Pays the given amount by trip card, and the rest with a Visa card ending in 4242. */
async function pay(byTripCard: number): Promise<void> {
  const isWhole = byTripCard === order.total;
  const started = must(
    await office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
      body: {
        method: isWhole ? 'trip_card' : 'card',
        ...(byTripCard > 0 ? { trip_card_id: card.id, trip_card_amount: byTripCard } : {}),
      },
      idempotencyKey: crypto.randomUUID(),
      token: holder.token,
    }),
  );
  if (isWhole) return;
  await office.confirmWith(started.client_secret.split('_secret')[0]);
  await office.provider.deliverNow();
}

const refund = (toTripCard: string | null = null) =>
  refundOrder(office.context, {
    actor: { kind: 'server' },
    reference: order.reference.toLowerCase(),
    toTripCard,
  });
const readAsOwner = async () =>
  must(await office.request('GET', fillPath(api.getOrder.path, { id: order.id }), { token: holder.token }));
const writeLetter = async (kind: OrderMailKind) => {
  const document = await findTravelDocument(office.context.db, order.id);
  if (!document) throw new Error('The order is not there.');
  return renderText(
    orderMailContent(kind, { document, settings: demoSettings, origin: 'https://example.com' }),
  );
};
async function letJobsRun(): Promise<void> {
  office.clock.advance(2 * 60_000);
  await office.jobs.send('reconcile-payments', {});
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}
async function balanceOf(id = card.id) {
  const [row] = await office.database.store.query<{ balance: number }>(
    'select balance::int as balance from trip_cards where id = $1',
    [id],
  );
  return row?.balance;
}

describe('the payment method of an order', () => {
  test('is shown to the owner with the cards’ last digits, and to others without them', async () => {
    await pay(1000);
    const lastFour = card.number.slice(-4);
    expect((await readAsOwner()).payments).toMatchObject([
      { method: 'card', amount: 1550, network: 'visa', last_four: '4242' },
      { method: 'trip_card', amount: 1000, network: null, last_four: lastFour },
    ]);
    const read = await office.readOrder(order.id);
    expect(read.payments).toMatchObject([{ last_four: null }, { last_four: null }]);
    expect(await office.readPayment(order.id, read.payments[0].id)).toMatchObject({ last_four: null });
    expect(await writeLetter('order-confirmed')).toContain(
      `Paid by trip card ending in ${lastFour} ($10.00) and Visa ending in 4242 ($15.50).`,
    );
  });

  test('names the card’s wallet, to the owner and in the mail', async () => {
    const path = fillPath(api.startPayment.path, { id: order.id });
    const started = must(
      await office.request('POST', path, {
        body: { method: 'card' },
        idempotencyKey: crypto.randomUUID(),
        token: holder.token,
      }),
    );
    await office.stripe.paymentIntents.confirm(started.client_secret.split('_secret')[0], {
      payment_method_data: { type: 'card', card: { token: 'tok_visa', wallet: 'apple_pay' } },
      return_url: 'http://tickets.ferry.localhost/orders/new',
    } as object);
    await office.provider.deliverNow();
    const paid = { network: 'visa', last_four: '4242', wallet: 'apple_pay' };
    expect((await readAsOwner()).payments).toMatchObject([paid]);
    expect((await office.readOrder(order.id)).payments).toMatchObject([{ wallet: null }]);
    expect(await writeLetter('order-confirmed')).toContain('Paid by Apple Pay · Visa ending in 4242.');
  });

  test('is shown also when the provider does not name the card', async () => {
    const { fetch } = office.provider;
    office.provider.fetch = async (request) => {
      if (request.url.includes('/payment_methods/')) throw new TypeError('fetch failed');
      return fetch(request);
    };
    await pay(0);
    office.provider.fetch = fetch;
    expect(await readAsOwner()).toMatchObject({ status: 'confirmed', payments: [{ last_four: null }] });
    expect(await writeLetter('order-confirmed')).toContain('Paid by card.');
  });
});

describe('refundOrder', () => {
  test('returns each part to its source, and puts the places back on sale', async () => {
    await pay(1000);
    expect((await refund()).done).toBe('canceled');
    expect(await balanceOf()).toBe(5000);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(await readAsOwner()).toMatchObject({
      status: 'canceled',
      payment_status: 'partly_refunded',
      refunded: 1000,
    });
    await letJobsRun();
    const told = await readAsOwner();
    expect(told).toMatchObject({ payment_status: 'refunded', paid: 2550, refunded: 2550 });
    expect(told.refunds).toHaveLength(2);
    expect(told.refunds).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          destination: 'card',
          amount: 1550,
          last_four: '4242',
          status: 'succeeded',
        }),
        expect.objectContaining({ destination: 'trip_card', amount: 1000, last_four: card.number.slice(-4) }),
      ]),
    );
    expect(told.tickets.map(({ status }: { status: string }) => status)).toEqual(['canceled', 'canceled']);
    const [listed] = must(await office.request('GET', api.listOrders.path, { token: holder.token }));
    expect(listed).toMatchObject({ display_status: 'refunded', party_size: 2 });
    expect(await office.count('mails:order-given-back')).toBe(1);
    const letter = await writeLetter('order-given-back');
    expect(letter).toContain(`$10.00 is back on trip card ending in ${card.number.slice(-4)}.`);
    expect(letter).toContain('$15.50 is on its way to your Visa ending in 4242.');
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('returns everything to one trip card if requested, without a call to the provider', async () => {
    await pay(1000);
    const other = await createTripCard(office.context, null);
    await refund(other.number.replace(/(.{4})/g, '$1 '));
    expect([await balanceOf(), await balanceOf(other.id)]).toEqual([4000, 2550]);
    await letJobsRun();
    expect(await readAsOwner()).toMatchObject({ payment_status: 'refunded', refunded: 2550 });
    expect((await office.stripe.refunds.list()).data).toEqual([]);
  });

  test('pays to the replacement of a lost card', async () => {
    await pay(2550);
    const replacement = await replaceLostCard(office.context, {
      customerId: holder.customer.id,
      cardId: card.id,
    });
    await refund();
    expect([await balanceOf(), await balanceOf(replacement)]).toEqual([0, 5000]);
  });

  test('happens once, also for repeated and concurrent requests', async () => {
    await pay(1000);
    const asked = await Promise.all(Array.from({ length: 8 }, () => refund()));
    expect(asked.map(({ done }) => done).toSorted()).toEqual(['canceled', ...Array(7).fill('nothing')]);
    await refund(card.number);
    await letJobsRun();
    await letJobsRun();
    expect(await balanceOf()).toBe(5000);
    expect(await readAsOwner()).toMatchObject({ refunded: 2550, refunds: [{}, {}] });
    expect((await office.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([1550]);
  });

  test('is refused for an unpaid, unknown or used order, and without a card to refund to', async () => {
    await expect(refund()).rejects.toThrow('confirmed and paid');
    await pay(2550);
    await expect(
      refundOrder(office.context, { actor: { kind: 'server' }, reference: 'NOTHERE', toTripCard: null }),
    ).rejects.toThrow('no order');
    await expect(refund('1234')).rejects.toThrow('no trip card');
    const foreign = await createTripCard(office.context, null, { currency: 'EUR' });
    await expect(refund(foreign.number)).rejects.toThrow('another currency');
    await office.database.store.query(`update tickets set status = 'boarded' where party_index = 1`);
    await expect(refund()).rejects.toThrow('have been used');
    expect(await balanceOf()).toBe(2450);
    expect(await office.count('refunds')).toBe(0);
  });

  test('is not paid to a trip card whose account was deleted', async () => {
    await pay(2550);
    await office.database.store.query('update trip_cards set customer_id = null where id = $1', [card.id]);
    await expect(refund()).rejects.toThrow('account of the trip card that paid is gone');
    expect(await readAsOwner()).toMatchObject({ status: 'confirmed', refunds: [] });
    const other = await createTripCard(office.context, holder.customer.id);
    await refund(other.number);
    expect([await balanceOf(), await balanceOf(other.id)]).toEqual([2450, 2550]);
  });

  test('is in the audit log with who did it and why, but a preview or a repetition without effect is not', async () => {
    await pay(2550);
    const actor = { kind: 'command', systemUser: 'ada' } as const;
    const input = { reference: order.reference, toTripCard: null, actor };
    await previewRefund(office.context, input);
    expect(await office.count('audit_log')).toBe(0);
    await refundOrder(office.context, { ...input, note: 'Storm' });
    await refund();
    const rows = await office.context.db.select().from(auditLog);
    expect(rows).toMatchObject([
      {
        actorId: 'ada',
        objectId: order.id,
        before: { status: 'confirmed', payment_status: 'paid', refunded: 0, refunds: 0 },
        after: { status: 'canceled', refunded: 2550, refunds: 1 },
        reason: 'Storm',
      },
    ]);
  });

  test('reports each part to the operator', async () => {
    await pay(1000);
    const canceled = [
      `Order ${order.reference} is canceled.`,
      '$10.00 put on the trip card.',
      '$15.50 back to the payment card: requested.',
    ];
    const first = describeRefund(await refund()).split('\n');
    expect(first.toSorted()).toEqual(canceled.toSorted());
    expect(first[0]).toBe(canceled[0]);
    await letJobsRun();
    const again = describeRefund(await refund());
    expect(again).toContain(`Order ${order.reference} is as it was; nothing was left to be given back.`);
    expect(again).toContain('$15.50 back to the payment card: done.');
  });

  test('is not available to customers through the API', async () => {
    await pay(2550);
    for (const path of [`${api.getOrder.path}/refunds`, `${api.getOrder.path}/refund`]) {
      const reply = await office.request(
        'POST',
        fillPath(path as typeof api.getOrder.path, { id: order.id }),
        {
          body: { amount: 2550 },
          idempotencyKey: crypto.randomUUID(),
          token: holder.token,
        },
      );
      expect(reply.status).toBe(404);
    }
    expect(await readAsOwner()).toMatchObject({ status: 'confirmed', refunds: [] });
  });
});

test('the command reports the refund or the reason for refusing it', async () => {
  const run = (...args: string[]) => firstLineOf(runCommandLine(office, refundCommand, ...args));
  expect(await run('NOTHERE')).toEqual([1, 'There is no order with that reference.']);
  expect(await run()).toEqual([1, 'Name the reference of one order.']);
  expect(await run('ONE', 'TWO')).toEqual([1, 'Name the reference of one order.']);
  expect((await run('ONE', '--all'))[0]).toBe(1);
  await pay(1000);
  const confirmed = async () => {
    const { version } = await readAsOwner();
    return run(order.reference, '--reason', 'The buyer asked', '--confirm', String(version));
  };
  expect(await confirmed()).toEqual([0, `Order ${order.reference} is canceled.`]);
  expect(await confirmed()).toEqual([
    0,
    `Order ${order.reference} is as it was; nothing was left to be given back.`,
  ]);
  expect(await balanceOf()).toBe(5000);
});
