import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

/*
 * Rows that must never be stored. The database itself refuses them, even if a statement is wrong.
 */

let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 10 });
  const { order, intent } = await office.takePayment({ adults: 2 });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  expect((await office.readOrder(order.id)).status).toBe('confirmed');
  await office.takePayment({ adults: 1 });
});
afterAll(() => office.close());

const paid = `(select id from orders where status = 'confirmed')`;
const open = `(select id from orders where status = 'awaiting_payment')`;

test.each([
  ['more sold than there is room for', `update voyage_capacity set sold = sellable_online + 1 - held`],
  ['more held than there is room for', `update voyage_capacity set held = sellable_online + 1 - sold`],
  ['fewer than no places held', `update voyage_capacity set held = -1`],
  ['fewer than no places sold', `update voyage_capacity set sold = -1`],
  ['a hold of no places', `update hold_items set amount = 0`],
  [
    'a hold longer than its longest time',
    `update holds set expires_at = expires_at_max + interval '1 second'`,
  ],
  ['a total that is not subtotal less discount', `update orders set total = total - 1`],
  ['a total below nothing', `update orders set discount = subtotal + 1, total = -1`],
  ['a line that is not quantity times price', `update order_lines set amount = amount - 1`],
  ['more paid back than paid', `update orders set refunded = paid + 1`],
  ['less than nothing paid back', `update orders set refunded = -1`],
  ['an order confirmed without its money', `update orders set status = 'confirmed' where id = ${open}`],
  ['a confirmed order paid in part', `update orders set paid = total - 1 where id = ${paid}`],
  ['two orders of one hold', `update orders set hold_id = (select hold_id from orders where id = ${paid})`],
  ['two orders of one reference', `update orders set reference = 'AAAA-AAAA'`],
  ['two tickets of one boarding code', `update tickets set boarding_code = 'AAAA AAAA'`],
  ['one place in the party given twice', `update tickets set party_index = 1`],
  [
    'a promo code used more often than it may',
    `update promo_codes set redeemed = 2 where max_redemptions = 1`,
  ],
  ['a refund of nothing', refund(0)],
])('%s is refused by the database itself', async (_, statement) => {
  await expect(office.database.store.query(statement)).rejects.toMatchObject({
    code: expect.stringMatching(/^235(05|14)$/),
  });
});

test('The database refuses a second open payment of an order', async () => {
  const second = (status: string) => `
    insert into payments (id, order_id, attempt, method, amount, currency, status, started_from, inserted_at, updated_at)
    select '${newId('pay')}', order_id, attempt + 1, method, amount, currency, '${status}', started_from, now(), now()
    from payments where order_id = ${open}
  `;
  for (const status of ['created', 'requires_action', 'processing']) {
    await expect(office.database.store.query(second(status))).rejects.toMatchObject({ code: '23505' });
  }
});

function refund(amount: number): string {
  return `
    insert into refunds (id, order_id, payment_id, amount, reason, status, inserted_at, updated_at)
    select '${newId('rfd')}', order_id, id, ${amount}, 'customer', 'requested', now(), now()
    from payments where order_id = ${paid}
  `;
}
