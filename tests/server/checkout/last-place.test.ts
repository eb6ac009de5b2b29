import { afterEach, expect, test } from 'vitest';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';

let office: Office;
afterEach(() => office.close());

test('of twenty concurrent buyers one holds the last place and nineteen are told that it is sold out', async () => {
  office = await openOffice({ passengers: 1 });
  const quote = must(await office.quote());
  const replies = await Promise.all(Array.from({ length: 20 }, () => office.hold(quote.id)));
  expect(replies.map(codeOf).toSorted()).toEqual([...Array(19).fill('sold_out'), 'success']);
  expect(await office.taken(office.ferry.outward[0] ?? '')).toMatchObject({ passenger: [1, 0] });
});

test('twenty buyers of the same two sailings in both directions cause no deadlock', async () => {
  office = await openOffice({ passengers: 7 });
  const [first = '', second = ''] = office.ferry.outward;
  const [back = ''] = office.ferry.back.slice(-1);
  const wishes = [
    [first, back],
    [second, back],
  ];
  const quotes = await Promise.all(
    wishes.map(async (legs) => must(await office.quote({ legs, adults: 2, bicycles: 1 })).id),
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => office.hold(quotes[index % 2] ?? '')),
  );
  expect(replies.map(codeOf).filter((code) => code === 'success')).toHaveLength(3);
  expect(await office.taken(back)).toMatchObject({ passenger: [6, 0], bicycle: [3, 0] });
});

test('of twenty buyers who pay concurrently for ten places ten are confirmed, and ten places are sold', async () => {
  office = await openOffice({ passengers: 10 });
  const sailing = office.ferry.outward[0] ?? '';
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const quote = must(await office.quote());
      const held = await office.hold(quote.id);
      if (!held.body.success) return codeOf(held);
      const order = must(await office.order(held.body.data.id, quote.id));
      const payment = must(await office.pay(order.id));
      await office.confirmWith(payment.client_secret.split('_secret')[0]);
      await office.readPayment(order.id, payment.id);
      return (await office.readOrder(order.id)).status;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'confirmed')).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === 'sold_out')).toHaveLength(10);
  expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 10] });
  expect(await office.count('tickets')).toBe(10);
});
