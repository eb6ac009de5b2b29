import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tickets } from '#server/database/schema/sales.ts';
import { createOrderPages } from '#server/pages/order-page.ts';
import { ORDER_SUMMARY } from '#server/pages/page.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

async function readPage(orderId: string): Promise<string> {
  const sendOrderPage = createOrderPages(office.context);
  const asset = { plain: new TextEncoder().encode(ORDER_SUMMARY) };
  const request = new Request(`http://tickets.ferry.example/orders/${orderId}/confirmation`);
  return (await sendOrderPage(request, { asset, headers: {} })).text();
}

test('a confirmation page without scripts has the codes until arrival, and then how the trip ended', async () => {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { db } = office.context;
  const own = await db.select().from(tickets).where(eq(tickets.orderId, order.id));
  const codes = own.map(({ boardingCode }) => boardingCode);
  const before = await readPage(order.id);
  expect(before).toContain('Confirmed');
  for (const code of codes) expect(before).toContain(code);
  office.clock.advance(3 * 24 * 3_600_000);
  const after = await readPage(order.id);
  expect(after).toContain('Past trip');
  for (const code of codes) expect(after).not.toContain(code);
  await db.update(tickets).set({ status: 'boarded' });
  expect(await readPage(order.id)).toContain('Used');
});
