import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queryRows } from '#server/database/database.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

/* Holds, prices and settings may change between the steps of a purchase. */

let office: Office;
let sailing: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 20, laneCm: 1000 });
  sailing = office.ferry.outward[0] ?? '';
  // An earlier sale, so that whatever the process caches has been read.
  const { quote, hold } = await office.takeHold({ promo: 'FREE' });
  must(await office.order(hold.id, quote.id));
});

const change = (statement: ReturnType<typeof sql>) => queryRows(office.context.db, statement);

test('a sailing that was canceled meanwhile is not held', async () => {
  const quote = must(await office.quote({ promo: 'FREE' }));
  await change(sql`update sailings set status = 'canceled' where id = ${sailing}`);
  expect(codeOf(await office.hold(quote.id))).toBe('sailing_canceled');
  expect(await office.count('holds')).toBe(1);
});

test('a sailing whose sales were extended meanwhile is held', async () => {
  const quote = must(await office.quote({ promo: 'FREE' }));
  await change(
    sql`update sailings set sales_close_at = ${office.clock.now().toISOString()} where id = ${sailing}`,
  );
  expect(codeOf(await office.hold(quote.id))).toBe('sales_closed');
  await change(sql`update sailings set sales_close_at = departs_at where id = ${sailing}`);
  expect(codeOf(await office.hold(quote.id))).toBe('success');
});

test('a hold is not ordered once the sales of its sailing have ended', async () => {
  const closes = new Date(office.clock.now().getTime() + 5 * 60_000).toISOString();
  await change(sql`update sailings set sales_close_at = ${closes} where id = ${sailing}`);
  const { quote, hold } = await office.takeHold({ promo: 'FREE' });
  office.clock.advance(6 * 60_000);
  expect(codeOf(await office.order(hold.id, quote.id))).toBe('sales_closed');
  expect(await office.count('orders')).toBe(1);
});

test('a hold is ordered with a later quote of the same trip', async () => {
  const { hold } = await office.takeHold({ promo: 'FREE' });
  office.clock.advance(60_000);
  const later = must(await office.quote({ promo: 'FREE' }));
  expect(must(await office.order(hold.id, later.id)).status).toBe('confirmed');
});

test('a promo code with other terms changes the price of a hold and of an order', async () => {
  const { quote, hold } = await office.takeHold({ promo: 'FREE' });
  await change(sql`update promo_codes set value = 5000 where code = 'FREE'`);
  expect(codeOf(await office.hold(quote.id))).toBe('price_changed');
  expect(codeOf(await office.order(hold.id, quote.id))).toBe('price_changed');
  expect(await office.count('orders')).toBe(1);
});

test('a promo code that was used up meanwhile is refused for a hold', async () => {
  const quote = must(await office.quote({ promo: 'FREE' }));
  await change(sql`update promo_codes set max_redemptions = redeemed where code = 'FREE'`);
  expect(codeOf(await office.hold(quote.id))).toBe('promo_used_up');
});

test('an order shows the hold as it is, not as it was taken', async () => {
  const { quote, hold } = await office.takeHold();
  const later = new Date(office.clock.now().getTime() + 15 * 60_000).toISOString();
  await change(sql`update holds set extended = true, expires_at = ${later} where id = ${hold.id}`);
  const order = must(await office.order(hold.id, quote.id));
  expect(order.hold).toMatchObject({ expires_at: later, can_extend: false });
});

test('a hold whose party was replaced is not ordered with the old quote', async () => {
  const { quote, hold } = await office.takeHold();
  await change(sql`update holds set request = jsonb_set(request, '{bicycles}', '1') where id = ${hold.id}`);
  expect(codeOf(await office.order(hold.id, quote.id))).toBe('invalid_input');
});

test('terms that changed meanwhile have to be accepted', async () => {
  const { quote, hold } = await office.takeHold();
  await change(sql`
    insert into settings (name, value, updated_at)
    values ('web', '{"terms": {"version": "2027-01"}}', ${office.clock.now().toISOString()})
    on conflict (name) do update set value = excluded.value
  `);
  const reply = await office.order(hold.id, quote.id);
  expect([codeOf(reply), reply.body.errors[0].details.terms_version]).toEqual(['terms_outdated', '2027-01']);
});

test('concurrent buyers of one network are counted one by one', async () => {
  const quote = must(await office.quote());
  const replies = await Promise.all(Array.from({ length: 125 }, () => office.hold(quote.id)));
  const codes = replies.map(codeOf);
  // One was taken before; twenty places are for sale.
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(125 - 119);
  expect(codes.filter((code) => code === 'success')).toHaveLength(19);
});

test('a refused quote counts for the limit of holds', async () => {
  const forged = `${must(await office.quote()).id}x`;
  for (let tries = 0; tries < 119; tries += 1) {
    expect(codeOf(await office.hold(forged))).toBe('invalid_input');
  }
  expect(codeOf(await office.hold(forged))).toBe('rate_limited');
});
