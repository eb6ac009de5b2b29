import { afterAll, describe, expect, test } from 'vitest';
import { auditBooks, cleanBooks, readOrders } from './books.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, type Send, sailingsOf } from './shopper.ts';

const BUYERS = 20;
/** The number of responses before each kill, drawn with a fixed seed over the whole of the purchases. */
const KILLS = drawKills(20_260_601, 3);

afterAll(endAll);

describe.each([
  ['the embedded engine', async () => newEmbeddedPlace()],
  ['PostgreSQL', newPostgresPlace],
] as const)('on %s', (_, newPlace: () => Promise<Place>) => {
  test('a server killed repeatedly in the middle of twenty purchases loses nothing and charges no card twice', async () => {
    const place = await newPlace();
    const office = await openOffice(place);
    const publishableKey = await publishableKeyOf(office.send);
    const [sailing = ''] = await sailingsOf(office.send);
    office.killAfter(KILLS);

    const outcomes = await Promise.all(
      Array.from({ length: BUYERS }, (__, index) =>
        buyTicket(office.send, { sailing, email: `buyer${index}@example.com`, publishableKey }),
      ),
    );
    expect(office.kills(), 'every kill fell into the purchases').toBe(KILLS.length);
    expect(await office.close()).toBe(0);

    const database = await place.openDatabase();
    const orders = (await readOrders(database.store)).filter(({ email }) => email.startsWith('buyer'));
    expect(outcomes.map(({ result }) => result)).toEqual(Array(BUYERS).fill('confirmed'));
    expect(orders.map(({ id }) => id).toSorted()).toEqual(outcomes.map(({ orderId }) => orderId).toSorted());
    expect(new Set(orders.map(({ email }) => email)).size).toBe(BUYERS);
    for (const order of orders)
      expect(order).toMatchObject({ status: 'confirmed', tickets: 1, charges: 1, refunds: 0 });
    expect(await auditBooks(database.store)).toEqual(cleanBooks);
    await database.close();
    await place.remove();
  }, 180_000);
});

/** A server that is killed after a number of responses and restarted; buyers wait for it. */
async function openOffice(place: Place) {
  let server: ServerProcess = await startServer(place.env);
  const env = { ...place.env, PORT: String(server.port) };
  let open: Promise<void> = Promise.resolve();
  let answers = 0;
  let plan: number[] = [];
  let kills = 0;

  async function killAndRestart(): Promise<void> {
    kills += 1;
    await server.signal('SIGKILL');
    await letTimePass(place);
    server = await startServer(env);
  }

  const send: Send = async (path, options) => {
    await open;
    const reply = await server.send(path, options);
    answers += 1;
    if (plan[0] !== undefined && answers >= plan[0]) {
      plan = plan.slice(1);
      open = killAndRestart();
    }
    return reply;
  };
  return {
    send,
    killAfter(counts: readonly number[]) {
      answers = 0;
      plan = [...counts];
    },
    kills: () => kills,
    close: () => server.signal('SIGTERM'),
  };
}

/**
 * Keys of requests that died with their process are free again after a minute, because other processes might still
 * be at work; a test need not wait for it.
 */
async function letTimePass({ env, openDatabase }: Place): Promise<void> {
  if (env.DATABASE_URL === undefined) return;
  const database = await openDatabase();
  await database.store.query(
    `update idempotency_keys set inserted_at = inserted_at - interval '61 seconds' where status is null`,
  );
  await database.close();
}

/** A linear congruential generator, so that every run kills at the same points. */
function drawKills(seed: number, count: number): number[] {
  let state = seed;
  const kills: number[] = [];
  for (let number = 0; number < count; number += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    // Twenty purchases take at least a hundred responses; one kill falls in each third of them.
    kills.push(Math.floor((100 / count) * (number + state / 2_147_483_648)) + 1);
  }
  return kills;
}
