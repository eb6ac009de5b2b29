import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { formatMoney } from '#domain/format/money.ts';
import { fares, feed, promoCodes } from '#server/database/schema/timetable.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { type OrderMailKind, orderMailContent } from '#server/mail/templates/order.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { type CardOffice, openCardOffice } from '#tests/server/payment-cards/wallet.ts';

/** A fare in our minor units, and the amount of two such fares in the provider's units. */
const CURRENCIES = [
  { currency: 'USD', fare: 1275, charged: 2550 },
  { currency: 'ISK', fare: 3450, charged: 690_000 },
  { currency: 'UGX', fare: 35_000, charged: 7_000_000 },
  { currency: 'JPY', fare: 1800, charged: 3600 },
  { currency: 'KWD', fare: 4250, charged: 8500 },
  { currency: 'HUF', fare: 489_050, charged: 978_100 },
  { currency: 'MGA', fare: 4_500_000, charged: 90_000 },
  { currency: 'NOK', fare: 12_500, charged: 25_000 },
];

let office: CardOffice;
beforeAll(async () => {
  office = await openCardOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

async function sellIn(currency: string, fare: number): Promise<void> {
  await office.context.db.update(fares).set({ amount: fare });
  await office.context.db.update(feed).set({ currency, revision: randomUUID() });
}

async function writeLetter(orderId: string, kind: OrderMailKind): Promise<string> {
  const document = await findTravelDocument(office.context.db, orderId);
  if (!document) throw new Error('The order is not there.');
  const origin = office.context.config.origins.tickets;
  return renderText(orderMailContent(kind, { document, settings: defaultWebSettings, origin }));
}

describe.each(CURRENCIES)('An order in $currency', ({ currency, fare, charged }) => {
  const total = fare * 2;

  test('is charged, confirmed by webhook and refunded with the same amount, which its mails show', async () => {
    await sellIn(currency, fare);
    const { order, intent } = await office.takePayment({ adults: 2 });
    expect([order.total, order.currency]).toEqual([total, currency]);
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: total, currency });
    const theirs = { amount: charged, currency: currency.toLowerCase() };
    expect(await office.stripe.paymentIntents.retrieve(intent)).toMatchObject({
      ...theirs,
      amount_received: charged,
    });
    expect(await writeLetter(order.id, 'order-confirmed')).toContain(formatMoney(total, currency, 'en-US'));

    const { refunds } = await refundOrder(office.context, {
      actor: { kind: 'server' },
      reference: order.reference,
      toTripCard: null,
    });
    office.jobs.asked.push(...refunds.map(({ id }) => ({ name: 'refund', data: { refund_id: id } })));
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect((await office.stripe.refunds.list()).data).toMatchObject([theirs]);
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'canceled',
      refunded: total,
      payment_status: 'refunded',
    });
    expect(await writeLetter(order.id, 'order-given-back')).toContain(formatMoney(total, currency, 'en-US'));
  });

  test('is paid by trip card up to an amount whose rest a payment card can be charged', async () => {
    await sellIn(currency, fare);
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: fare + 3, currency });
    const order = await office.takeOrder({ adults: 2 });
    await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
    const started = must(
      await office.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
        body: { method: 'card', trip_card_id: card.id },
        idempotencyKey: randomUUID(),
        token: holder.token,
      }),
    );
    expect(started.amount + started.trip_card_amount).toBe(total);
    await office.confirmWith(started.client_secret.split('_secret')[0]);
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: total });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('tops a trip card up by the amount that the payment card is charged', async () => {
    await sellIn(currency, fare);
    await office.database.store.query('delete from settings');
    const wallet = await office.openWallet();
    const card = await createTripCard(office.context, wallet.customer.id, { currency });
    await office.database.store.query(
      "insert into settings (name, value, updated_at) values ('web', $1, now())",
      [JSON.stringify({ ...defaultWebSettings, top_up: { presets: [total], min: 1, max: total } })],
    );
    const path = `/api/customers/trip_cards/${card.id}`;
    const topUp = (amount: number) =>
      wallet.request('POST', `${path}/top_ups`, { body: { amount }, idempotencyKey: randomUUID() });
    expect(codeOf(await topUp(1))).toBe('top_up_amount');
    const { client_secret: secret } = must(await topUp(total));
    await office.confirmWith(String(secret).split('_secret')[0] ?? '');
    await office.provider.deliverNow();
    expect(must(await wallet.request('GET', path))).toMatchObject({ balance: total, currency });
    const intents = (await office.stripe.paymentIntents.list()).data;
    expect(intents.map(({ amount_received: received }) => received)).toEqual([charged]);
  });
});

describe('The smallest charge of a currency', () => {
  test('is the minimum total after a promo code, unless the total is zero', async () => {
    await sellIn('NOK', 400);
    await office.context.db.update(promoCodes).set({ value: 3000 }).where(eq(promoCodes.code, 'TEN'));
    expect(must(await office.quote({ promo: 'TEN' })).total).toBe(0);
    expect(must(await office.quote({ adults: 2, promo: 'TEN' })).total).toBe(560);
  });

  test('is checked before the provider is called', async () => {
    await sellIn('HUF', 17_000);
    const order = await office.takeOrder();
    const reply = await office.pay(order.id);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'below_smallest_charge']);
    expect((await office.stripe.paymentIntents.list()).data).toEqual([]);
  });

  test('has a counterpart in the largest total, above which a quote is refused', async () => {
    await sellIn('ISK', 600_000);
    expect(must(await office.quote()).total).toBe(600_000);
    expect(codeOf(await office.quote({ adults: 2 }))).toBe('party_too_large');
  });
});

test('A promo code in dinars leaves a total whose last digit is 0', async () => {
  await sellIn('KWD', 1250);
  await office.context.db.update(promoCodes).set({ value: 333 }).where(eq(promoCodes.code, 'TEN'));
  expect(must(await office.quote({ promo: 'TEN' })).total).toBe(1210);
});
