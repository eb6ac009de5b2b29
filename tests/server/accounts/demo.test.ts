import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths } from '#contract/paths.ts';
import { ensureDemoCustomer } from '#server/accounts/demo-customer.ts';
import { seedDemoOrders } from '#server/accounts/demo-orders.ts';
import { loadDemoTimetable } from '#server/sailings/demo.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  await loadDemoTimetable(server.deps);
});
afterAll(() => server.close());

async function signIn(): Promise<string> {
  const credentials = await ensureDemoCustomer(server.deps);
  const reply = await server.request('POST', apiPaths.signIn, { body: credentials });
  expect(reply.status).toBe(200);
  return reply.body.data.token;
}

test('The demo customer signs in with the password that is shown, after a restart too', async () => {
  const first = await ensureDemoCustomer(server.deps);
  expect(await ensureDemoCustomer(server.deps)).toEqual(first);
  await signIn();
});

test('The demo customer has two paid orders, bought once', async () => {
  await ensureDemoCustomer(server.deps);
  await seedDemoOrders(server.deps);
  await seedDemoOrders(server.deps);
  const token = await signIn();
  const { body } = await server.request('GET', apiPaths.customerOrders, { token });
  expect(body.meta).toEqual({ page: 1, page_size: 10, total_pages: 1, total_count: 2 });
  expect(body.data.map((order: { status: string }) => order.status)).toEqual(['confirmed', 'confirmed']);
  for (const { id } of body.data) {
    const order = await server.request('GET', `${apiPaths.customerOrders}/${id}`, { token });
    expect(order.status).toBe(200);
    expect(order.body.data.paid).toBe(order.body.data.total);
    expect(order.body.data.total).toBeGreaterThan(0);
    expect(order.body.data.tickets.length).toBeGreaterThan(0);
  }
  expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([]);
});

test('Where real money is taken there is no demo customer', async () => {
  const deps = { ...server.deps, provider: { ...server.deps.provider, isTest: false } };
  expect(await ensureDemoCustomer(deps)).toBeNull();
});

test('No demo customer is put beside real ones', async () => {
  const other = await openTestServer();
  try {
    await createCustomer(other.deps);
    expect(await ensureDemoCustomer(other.deps)).toBeNull();
    await seedDemoOrders(other.deps);
    expect(await other.database.store.query('select id from orders')).toEqual([]);
  } finally {
    await other.close();
  }
});
