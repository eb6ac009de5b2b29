import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { AccountAsCustomer, OrderAsCustomer } from '#contract/desk/as-customer/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { TripCard } from '#contract/trip-cards/schemas.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { tripCardShares } from '#server/database/schema/trip-cards.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { buyTickets, type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';

let office: Office;
let customer: Awaited<ReturnType<typeof createCustomer>>;
let clerk: Clerk;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  customer = await createCustomer(office.context);
  clerk = await signInClerk(office, 'desk');
});

const listViews = async () => {
  const entries = await office.context.db.select().from(auditLog).orderBy(auditLog.seq);
  return entries.map(({ action, actorId, objectId }) => [action, actorId, objectId]);
};

/** An order of two in the customer's account. */
async function buyWithAccount() {
  const bought = await buyTickets(office, 2);
  await office.context.db.update(orders).set({ customerId: customer.id }).where(eq(orders.id, bought.id));
  return bought;
}

/** An order without what a gate would scan. */
const withoutCodes = ({ tickets, party_codes: parties, ...order }: Order) => ({
  ...order,
  tickets: tickets.map(({ barcode: _, ...ticket }) => ticket),
  parties: parties?.map(({ barcode: _, ...party }) => party),
});

test('an order is answered as its owner gets it, but without codes, and the log has who looked', async () => {
  const { id, reference } = await buyWithAccount();
  const token = await startSession(office.context, customer.id);
  const own: Order = must(await office.request('GET', `/api/customers/orders/${id}`, { token }));
  const { order, messages }: OrderAsCustomer = must(await clerk.call(api.getOrderAsCustomer, { reference }));
  expect(withoutCodes(order)).toEqual(withoutCodes(own));
  expect(messages[0]).toMatchObject({ to: 'ada@example.com' });
  expect(own.party_codes).toHaveLength(1);
  const codes = [...own.tickets, ...(own.party_codes ?? [])].map(({ barcode }) => barcode.payload);
  for (const code of codes) expect(JSON.stringify({ order, messages })).not.toContain(code);
  expect(await listViews()).toEqual([['order_viewed_as_customer', clerk.id, id]]);
});

test('an order without an account is answered as behind the link of its mail, with masked addresses', async () => {
  const { id, reference } = await buyTickets(office, 1);
  const behindLink: Order = must(await office.request('GET', `/api/orders/${id}`));
  const { order, messages }: OrderAsCustomer = must(await clerk.call(api.getOrderAsCustomer, { reference }));
  expect(withoutCodes(order)).toEqual(withoutCodes(behindLink));
  expect(JSON.stringify({ order, messages })).not.toContain('ada@example.com');
});

test('an account is answered with its orders and trip cards, without numbers, and nothing is accepted for it', async () => {
  const { reference } = await buyWithAccount();
  const card = await createTripCard(office.context, customer.id, { balance: 1250 });
  const other = await createCustomer(office.context);
  const shared = await createTripCard(office.context, other.id, { balance: 500 });
  const ofOther = await startSession(office.context, other.id);
  const body = { email: customer.email, role: 'spend' };
  must(
    await office.request('POST', `/api/customers/trip_cards/${shared.id}/shares`, {
      ...{ token: ofOther, body, idempotencyKey: crypto.randomUUID() },
    }),
  );
  const seen: AccountAsCustomer = must(await clerk.call(api.getAccountAsCustomer, { id: customer.id }));
  expect(seen).toMatchObject({ name: customer.name, email: customer.email, orders: [{ reference }] });
  expect(seen.trip_cards).toMatchObject([{ id: card.id, balance: 1250, number: null, auto_top_up: null }]);
  expect(JSON.stringify(seen)).not.toContain(card.number);
  expect(await office.context.db.select().from(tripCardShares)).toMatchObject([{ status: 'invited' }]);
  expect(await listViews()).toEqual([['customer_viewed_as_customer', clerk.id, customer.id]]);

  const token = await startSession(office.context, customer.id);
  const cards: TripCard[] = must(await office.request('GET', '/api/customers/trip_cards', { token }));
  expect(cards.map(({ role }) => role)).toEqual(['owner', 'spend']);
});

test('both need a session of staff with the permission to see orders, and something to look at', async () => {
  const { reference } = await buyWithAccount();
  const gate = await signInClerk(office, 'gate');
  for (const [endpoint, params, unknown] of [
    [api.getOrderAsCustomer, { reference }, { reference: 'ZZZZ-ZZZZ' }],
    [api.getAccountAsCustomer, { id: customer.id }, { id: 'cus_00000000000000000000000000' }],
  ] as const) {
    const path = Object.entries(params).reduce(
      (p, [key, value]) => p.replace(`{${key}}`, value),
      endpoint.path as string,
    );
    const token = await startSession(office.context, customer.id);
    expect((await office.request('GET', path)).status).toBe(401);
    expect((await office.request('GET', path, { token })).status).toBe(401);
    const refused = await gate.call(endpoint, params);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'not_permitted']);
    expect((await clerk.call(endpoint, unknown)).status).toBe(404);
  }
  expect((await listViews()).map(([action]) => action)).toEqual(['call_refused', 'call_refused']);
});
