import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { ensureDemoTripCards } from '#server/demo/demo.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { cardHolder } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('No plastic card with a published PIN is issued where real money is taken', async () => {
  const context = { ...server.context, provider: { ...server.context.provider, isTest: false } };
  expect(await ensureDemoTripCards(context)).toEqual([]);
  expect(await server.database.store.query('select id from trip_cards')).toEqual([]);
});

test('the demo’s plastic cards are issued once, and no longer shown after a customer added them', async () => {
  const cards = await ensureDemoTripCards(server.context);
  expect(cards).toHaveLength(3);
  const [first] = cards;
  if (!first) throw new Error('There is one.');
  const input = { number: parseTripCardNumber(first.number), pin: first.pin };

  const holder = await cardHolder(server);
  expect(codeOf(await holder.call('POST', '', { ...input, pin: '0000' }))).toBe('trip_card_refused');
  expect(must(await holder.call('POST', '', input))).toMatchObject({ balance: 2500, role: 'owner' });
  const other = await cardHolder(server);
  expect(codeOf(await other.call('POST', '', input))).toBe('trip_card_refused');

  expect(await ensureDemoTripCards(server.context)).toEqual(cards.slice(1));
  const [issued] = await server.database.store.query<{ sum: number }>(
    'select sum(balance)::int as sum from trip_cards',
  );
  expect(issued?.sum).toBe(7500);
});

test('a card issued for the demo has no owner once real payments are accepted', async () => {
  const [card] = await ensureDemoTripCards(server.context);
  const input = { number: parseTripCardNumber(card?.number ?? ''), pin: card?.pin };
  const holder = await cardHolder(server);
  Object.assign(server.context.provider, { isTest: false });
  try {
    expect(codeOf(await holder.call('POST', '', input))).toBe('trip_card_refused');
  } finally {
    Object.assign(server.context.provider, { isTest: true });
  }
  expect(must(await holder.call('POST', '', input))).toMatchObject({ role: 'owner' });
});
