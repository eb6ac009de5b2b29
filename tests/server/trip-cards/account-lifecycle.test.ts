import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { addEntry, cardHolder, createTripCard } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('An account whose cards hold value, or are being topped up, cannot be deleted', async () => {
  const { call, customer, token } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 1 });
  const remove = () => server.request('DELETE', '/api/customers', { token });
  expect(codeOf(await remove())).toBe('account_in_use');
  await addEntry(server.context, card.id, -1);
  const { id } = must(await call('POST', `/${card.id}/top_ups`, { amount: 2000 }));
  expect(codeOf(await remove())).toBe('account_in_use');
  await server.database.store.query(`update top_ups set status = 'canceled' where id = '${id}'`);
  expect((await remove()).status).toBe(200);
});

test('Deleting an account keeps the ledger of its cards without names and addresses', async () => {
  const owner = await cardHolder(server);
  const friend = await cardHolder(server);
  const card = await createTripCard(server.context, owner.customer.id, { balance: 5, name: 'Ada’s own' });
  const theirs = await createTripCard(server.context, friend.customer.id);
  await addEntry(server.context, card.id, -5);
  const share = (from: typeof owner, id: string, email: string) =>
    from.call('POST', `/${id}/shares`, { email, role: 'spend' });
  must(await share(owner, card.id, 'somebody@example.com'));
  must(await share(friend, theirs.id, owner.customer.email));
  must(await owner.call('GET', ''));
  expect((await server.request('DELETE', '/api/customers', { token: owner.token })).status).toBe(200);
  const [left] = await server.database.store.query(
    `select customer_id, name, entry_count from trip_cards where id = '${card.id}'`,
  );
  expect(left).toEqual({ customer_id: null, name: 'Trip card', entry_count: 2 });
  expect(await server.database.store.query('select * from trip_card_shares')).toEqual([]);
});

test('The export contains every card with every entry', async () => {
  const { customer, token } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 5 });
  const data = must(await server.request('POST', '/api/customers/export', { token, body: {} }));
  expect(data.trip_cards).toMatchObject([
    { id: card.id, number: card.number, entries: [{ amount: 5, balance_after: 5 }], top_ups: [] },
  ]);
});
