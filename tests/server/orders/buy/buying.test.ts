import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

test('a buyer gets a price, a paid order, tickets and a mail', async () => {
  const [outward = '', back = ''] = [office.ferry.outward[0], office.ferry.back[0]];
  const { order, payment, intent } = await office.takePayment({
    legs: [outward, back],
    adults: 2,
    children: 1,
    vehicle: { type: 'car', length_cm: 640 },
    bicycles: 1,
  });
  expect(order).toMatchObject({
    status: 'held',
    display_status: 'paying',
    total: 2 * (1275 + 500 + 3250 + 300),
  });
  expect(payment).toMatchObject({ status: 'created', amount: order.total, failure: null });
  expect(await office.taken(outward)).toMatchObject({
    passenger: [3, 0],
    lane_cm: [690, 0],
    bicycle: [1, 0],
  });

  await office.confirmWith(intent);
  await office.provider.deliverNow();

  const paid = await office.readOrder(order.id);
  expect(paid).toMatchObject({
    status: 'confirmed',
    payment_status: 'paid',
    paid: order.total,
    display_status: 'upcoming',
    contact: { email: 'a•••@example.com' },
  });
  expect(paid.tickets).toHaveLength(10);
  expect(await office.taken(outward)).toMatchObject({
    passenger: [0, 3],
    lane_cm: [0, 690],
    bicycle: [0, 1],
  });
  expect(await office.count('mails:order-confirmed')).toBe(1);
});
