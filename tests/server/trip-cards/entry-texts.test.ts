import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustBalance } from '#server/trip-cards/operator-commands.ts';
import { refundIn, spend } from '#server/trip-cards/spend.ts';
import { must } from '#tests/factories/buyer.ts';
import { addEntry, cardHolder, createTripCard } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let readIn: (language: string, path: string) => Promise<string[]>;
let readStatementIn: (language: string) => Promise<string[]>;
beforeAll(async () => {
  server = await openTestServer();
  const { context } = server;
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(context, customer.id, { balance: 1000 });
  const other = await createTripCard(context, customer.id, { number: '9000000000001234' });
  const input = { cardId: card.id, amount: 100, orderId: null };
  const [tickets, refund] = (['tickets', 'refund'] as const).map(
    (code) => ({ ...input, cause: { code, reference: 'K7QF-2M9P' }, key: code }) as const,
  );
  if (!tickets || !refund) throw new Error('There are two entries.');
  await context.db.transaction((tx) => spend(tx, context, { ...tickets, customerId: customer.id }));
  await context.db.transaction((tx) => refundIn(tx, context, refund));
  must(await call('POST', `/${card.id}/transfers`, { to_card_id: other.id, amount: 200 }));
  const reason = 'Charged twice by the kiosk';
  await adjustBalance(context, {
    actor: { kind: 'server' },
    number: card.number,
    amount: 50,
    reason,
    key: 'kiosk',
  });
  await addEntry(context, card.id, 25, { description: 'Automatic top-up' });

  const read = async (language: string, path: string) => {
    const reply = await call('GET', `/${card.id}${path}`, undefined, {
      headers: { 'accept-language': language },
    });
    return path === '/balance' ? must(reply).entries : reply.body;
  };
  readIn = async (language, path) =>
    (await read(language, path)).map(({ description }: { description: string }) => description);
  readStatementIn = async (language) =>
    (await read(language, '/statement?format=csv'))
      .split('\r\n')
      .map((line: string) => line.split(',')[3])
      .filter(Boolean)
      .slice(1);
});
afterAll(() => server.close());

test('A trip card’s history is in the language of the person who reads it', async () => {
  expect(await readIn('fr', '/balance')).toEqual([
    'Automatic top-up',
    'Charged twice by the kiosk',
    'Vers la carte se terminant par 1234',
    'Remboursement de K7QF-2M9P',
    'Billets de ferry K7QF-2M9P',
    'Opening balance',
  ]);
  expect(await readIn('en', '/balance')).toEqual([
    'Automatic top-up',
    'Charged twice by the kiosk',
    'To card ending 1234',
    'Refund of K7QF-2M9P',
    'Ferry tickets K7QF-2M9P',
    'Opening balance',
  ]);
});

test('A statement is in the language of the person who downloads it', async () => {
  expect(await readStatementIn('nb')).toEqual([
    'Opening balance',
    'Fergebilletter K7QF-2M9P',
    'Refusjon for K7QF-2M9P',
    'Til kortet som slutter på 1234',
    'Charged twice by the kiosk',
    'Automatic top-up',
  ]);
});
