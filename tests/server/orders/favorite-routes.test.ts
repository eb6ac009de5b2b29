import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { ports } from '#server/database/schema/timetable.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

let customers = 0;
let customerId: string;
let token: string;
beforeEach(async () => {
  customers += 1;
  const customer = await createCustomer(server.context, { email: `regular${customers}@example.com` });
  customerId = customer.id;
  token = await startSession(server.context, customerId);
});

let references = 0;
const DAY_MS = 86_400_000;
/** The sailings of each trip, there and back, by the name of its first port. */
const trips = new Map<string, string[]>();

/** A confirmed order from a port to Bergen and back, bought some days ago. */
async function buy(
  origin: string,
  { daysAgo = 1, status = 'confirmed' as 'confirmed' | 'canceled', by = customerId } = {},
): Promise<string> {
  const { db, clock } = server.context;
  references += 1;
  const order = await buildConfirmedOrder(server.context, {
    reference: `FAV${references}`,
    originName: origin,
  });
  const insertedAt = new Date(clock.now().getTime() - daysAgo * DAY_MS);
  await db.update(orders).set({ customerId: by, insertedAt, status }).where(eq(orders.id, order.id));
  const sailingIds = trips.get(origin) ?? order.sailingIds;
  trips.set(origin, sailingIds);
  for (const [index, id] of order.sailingIds.entries()) {
    const sailingId = sailingIds[index] ?? '';
    await db.update(orderLines).set({ sailingId }).where(eq(orderLines.sailingId, id));
  }
  return order.id;
}

function changeReturn(orderId: string, change: Partial<typeof orderLines.$inferInsert>) {
  const isReturn = and(eq(orderLines.orderId, orderId), eq(orderLines.leg, 'back'));
  return server.context.db.update(orderLines).set(change).where(isReturn);
}

async function list(by = token): Promise<string[]> {
  const favorites = must(await server.request('GET', api.listFavoriteRoutes.path, { token: by })) as {
    origin_port_id: string;
    destination_port_id: string;
  }[];
  const names = new Map((await server.context.db.select().from(ports)).map(({ id, name }) => [id, name]));
  return favorites.map(
    (each) => `${names.get(each.origin_port_id)} to ${names.get(each.destination_port_id)}`,
  );
}

describe('GET /api/customers/favorite_routes', () => {
  test('needs a session', async () => {
    const reply = await server.request('GET', api.listFavoriteRoutes.path);
    expect([reply.status, codeOf(reply)]).toEqual([401, 'unauthenticated']);
  });

  test('is empty without orders, and shows no route of another customer', async () => {
    const other = await createCustomer(server.context, { email: `other${customers}@example.com` });
    await buy('Ames', { by: other.id });
    expect(await list()).toEqual([]);
  });

  test('is stored by no cache', async () => {
    const reply = await server.request('GET', api.listFavoriteRoutes.path, { token });
    expect(reply.headers.get('cache-control')).toContain('no-store');
  });

  test('counts there and back apart, the most frequent first, then the last bought, at most three', async () => {
    await buy('Ames', { daysAgo: 10 });
    await buy('Bell', { daysAgo: 5 });
    await buy('Cove', { daysAgo: 20 });
    await changeReturn(await buy('Ames', { daysAgo: 30 }), { status: 'canceled' });
    const [first, ...others] = await list();
    expect(first).toBe('Ames to Bergen');
    expect(others.toSorted()).toEqual(['Bell to Bergen', 'Bergen to Bell']);
  });

  test('leaves out orders of more than a year ago, and canceled ones', async () => {
    await buy('Ames', { daysAgo: 366 });
    await buy('Bell', { status: 'canceled' });
    expect(await list()).toEqual([]);
    await buy('Cove', { daysAgo: 364 });
    expect((await list()).toSorted()).toEqual(['Bergen to Cove', 'Cove to Bergen']);
  });

  test('names the first and the last port of a journey with a change of boats', async () => {
    await changeReturn(await buy('Dale'), { leg: 'out_onward' });
    expect(await list()).toEqual(['Dale to Dale']);
  });
});
