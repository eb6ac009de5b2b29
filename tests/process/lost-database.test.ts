import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { openDatabase } from '#server/database/database.ts';
import { freePort, startCluster } from '#tests/setup/engine.ts';
import { openCollector, readEvent } from '#tests/setup/error-collector.ts';
import { auditBooks, cleanBooks, readOrders } from './books.ts';
import { newPostgresPlace } from './places.ts';
import { endAll, eventually, launch, newFolder, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, type Outcome, publishableKeyOf, type Send, sailingsOf } from './shopper.ts';

const BUYERS = 20;
const CUTS = 12;
/** Responses between two cuts; twenty purchases take more than a hundred. */
const ANSWERS_PER_CUT = 8;
/** The number of refused requests before the database is started again. */
const REFUSALS = 40;

afterAll(endAll);

test('cutting all database connections again and again costs only the requests in flight', async () => {
  const place = await newPostgresPlace();
  const server = await startServer(place.env);
  const admin = new pg.Pool({ connectionString: place.url, application_name: 'administrator' });
  const shop = await openShop(server);
  let answers = 0;
  let cuts = 0;
  const cutConnections = async () => {
    cuts += 1;
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name <> 'administrator'`,
    );
  };
  const outcomes = await shop.sell(async () => {
    answers += 1;
    if (answers % ANSWERS_PER_CUT === 0 && cuts < CUTS) await cutConnections();
  });
  expect(cuts).toBe(CUTS);
  expectAllConfirmed(outcomes);
  expect(shop.serverErrors()).toEqual([]);
  await eventually(async () => (await server.send('/readyz')).status === 200, {
    what: 'the server to be ready',
    withinMs: 20_000,
  });
  await admin.end();
  expect(await server.signal('SIGTERM')).toBe(0);
  expect(server.stderr()).toBe('');
  await expectCleanBooks(place.url);
  await place.remove();
}, 180_000);

test('the server answers 503 while the database is stopped under load, and recovers when it is back', async () => {
  const cluster = await startCluster({ isDurable: true, copyOf: inject('preparedData') });
  const url = new URL('/prepared', cluster.url).href;
  const collector = await openCollector();
  const server = await startServer({ DATA_DIR: newFolder(), DATABASE_URL: url, SENTRY_DSN: collector.dsn });
  const shop = await openShop(server);
  const { promise: isTimeToStop, resolve: stopNow } = Promise.withResolvers<void>();
  let answers = 0;
  const sale = shop.sell(() => {
    answers += 1;
    if (answers === BUYERS) stopNow();
  });
  await isTimeToStop;
  await cluster.halt();

  const [alive, ready, api, page] = await Promise.all(
    ['/livez', '/readyz', '/api/catalogue', '/'].map((path) => server.send(path)),
  );
  expect(alive?.status).toBe(200);
  expect(ready?.status).toBe(503);
  expect([api?.status, api?.json().errors[0].code, api?.headers['retry-after']]).toEqual([
    503,
    'unavailable',
    '5',
  ]);
  expect(page?.status).toBe(200);
  await eventually(() => shop.refusals() >= REFUSALS, { what: 'the buyers to be refused', withinMs: 60_000 });
  const findReport = () =>
    collector.received.map(readEvent).find(({ tags }) => tags.request_id !== undefined);
  await eventually(async () => findReport() !== undefined, { what: 'an error report', withinMs: 10_000 });
  const failures = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"request failed"'));
  expect(failures.filter((line) => line.includes(findReport().tags.request_id))).toHaveLength(1);

  await cluster.resume();
  await eventually(async () => (await server.send('/readyz')).status === 200, {
    what: 'the server to be ready again',
    withinMs: 30_000,
  });
  expectAllConfirmed(await sale);
  expect(shop.serverErrors()).toEqual([]);
  expect(await server.signal('SIGTERM')).toBe(0);
  expect(server.stderr()).toBe('');
  await expectCleanBooks(url);
  await cluster.stop();
  await collector.stop();
}, 240_000);

test('a server that starts without a database exits at once and names the reason', async () => {
  const url = `postgresql://postgres:secret@127.0.0.1:${await freePort()}/gangway`;
  const server = await launch({ DATA_DIR: newFolder(), DATABASE_URL: url });
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toBe(
    'The database cannot be reached, or takes no writes. Check DATABASE_URL, its server and its disk.\n',
  );
});

/** Buyers at a server, and the responses they got. */
async function openShop(server: ServerProcess) {
  const publishableKey = await publishableKeyOf(server.send);
  const [sailing = ''] = await sailingsOf(server.send);
  const serverErrors: string[] = [];
  let refusals = 0;
  return {
    /** All buyers buy concurrently. `afterAnswer` is awaited after each response. */
    sell(afterAnswer: () => void | Promise<void>): Promise<Outcome[]> {
      const send: Send = async (path, options) => {
        const reply = await server.send(path, options);
        if (reply.status === 503) refusals += 1;
        else if (reply.status >= 500 && options?.host !== 'pay') serverErrors.push(`${path}: ${reply.text}`);
        await afterAnswer();
        return reply;
      };
      const buyers = Array.from({ length: BUYERS }, (_, index) => `buyer${index}@example.com`);
      return Promise.all(buyers.map((email) => buyTicket(send, { sailing, email, publishableKey })));
    },
    /** The number of 503 responses so far. */
    refusals: () => refusals,
    /** The number of other responses of 500 and above by the product itself. */
    serverErrors: () => serverErrors,
  };
}

function expectAllConfirmed(outcomes: readonly Outcome[]): void {
  expect(outcomes.map(({ result }) => result)).toEqual(Array(BUYERS).fill('confirmed'));
}

async function expectCleanBooks(url: string): Promise<void> {
  const database = await openDatabase({ url, folder: null });
  const orders = (await readOrders(database.store)).filter(({ email }) => email.startsWith('buyer'));
  expect(orders).toHaveLength(BUYERS);
  for (const order of orders) {
    expect(order).toMatchObject({ status: 'confirmed', tickets: 1, charges: 1, refunds: 0 });
  }
  expect(await auditBooks(database.store)).toEqual(cleanBooks);
  await database.close();
}
