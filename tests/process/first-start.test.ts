import { afterAll, expect, test } from 'vitest';
import { auditBooks, cleanBooks } from './books.ts';
import { newPostgresPlace } from './places.ts';
import { endAll, startServer } from './server-process.ts';

afterAll(endAll);

test('three processes that start concurrently on an empty database set it up once', async () => {
  const place = await newPostgresPlace({ isEmpty: true });
  const servers = await Promise.all([1, 2, 3].map(() => startServer(place.env)));
  const [catalogues, keys, pages] = await Promise.all(
    ['/api/catalogue', '/api/keys', '/'].map((path) => Promise.all(servers.map(({ send }) => send(path)))),
  );
  const data = catalogues?.map((reply) => ({ ...reply.json().data, as_of: null }));
  expect(data?.[0].routes.length).toBeGreaterThan(0);
  expect(data).toEqual(Array(3).fill(data?.[0]));
  expect(keys?.map((reply) => reply.json().data.length)).toEqual([1, 1, 1]);
  const publishable = pages?.map(({ text }) => /pk_test_\w+/.exec(text)?.[0]);
  expect(new Set(publishable).size).toBe(1);

  const database = await place.openDatabase();
  const counts = await database.store.query(`
    select (select count(*)::int from customers) as customers, (select count(*)::int from feed) as feeds,
      (select count(*)::int from secrets) as secrets, (select count(*)::int from orders) as orders
  `);
  expect(counts).toEqual([{ customers: 1, feeds: 1, secrets: 2, orders: 15 }]);
  expect(await auditBooks(database.store)).toEqual(cleanBooks);
  await database.close();
  for (const server of servers) {
    expect(await server.signal('SIGTERM')).toBe(0);
    expect(server.stderr()).toBe('');
  }
  await place.remove();
}, 120_000);
