import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { MAX_FOUND } from '#contract/desk/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { orderLines, orders, payments, tickets } from '#server/database/schema/sales.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';

let office: Office;
let headers: Record<string, string>;
let ada: { id: string; reference: string };
beforeAll(async () => {
  office = await openOffice();
  headers = await signIn('office');
  const bought = await office.takePayment({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
  await office.confirmWith(bought.intent);
  await office.readPayment(bought.order.id, bought.payment.id);
  ada = must(await office.request('GET', `/api/orders/${bought.order.id}`));
  await office.context.db
    .update(orders)
    .set({ contactName: 'Zoë O’Hara-King', travelerNames: ['Zoë O’Hara-King', 'Søren Åberg'] })
    .where(eq(orders.id, ada.id));
  office.clock.advance(1000);
  const { id } = await office.takeOrder();
  await office.context.db.update(orders).set({ plate: null }).where(eq(orders.id, id));
});
afterAll(() => office.close());

async function signIn(role: StaffRole): Promise<Record<string, string>> {
  const member = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, member.id)).headers;
}

async function find(q: string): Promise<string[]> {
  const path = `${api.findStaffOrders.path}?${new URLSearchParams({ q })}`;
  const { orders: found } = must(await office.request('GET', path, { headers }));
  return found.map(({ reference }: { reference: string }) => reference);
}

describe('GET /api/staff/orders', () => {
  test.each([
    ['its reference', () => ada.reference],
    ['its reference without a dash', () => ada.reference.replace('-', ' ').toLowerCase()],
    ['the beginning of its reference', () => ada.reference.slice(0, 4)],
    ['the license plate', () => '5kjh220'],
    ['the name of the buyer without accents', () => 'zoe'],
    ['the beginnings of two names in any order', () => 'king zo'],
    ['the name of a traveler', () => 'Åberg'],
  ])('finds the order by %s, and no other', async (_, search) => {
    expect(await find(search())).toEqual([ada.reference]);
  });

  test.each(['ada@exam', 'ADA@example.com', '206 555 0123', '+1 206 555 0123', '5550123'])(
    'finds both orders of the buyer by %s, the latest first',
    async (search) => {
      const all = await find(search);
      expect(all).toHaveLength(2);
      expect(all.at(-1)).toBe(ada.reference);
    },
  );

  test('finds an order by the last four digits of its payment card', async () => {
    const { db } = office.context;
    await db
      .update(payments)
      .set({ cardNetwork: 'visa', cardLastFour: '4242' })
      .where(eq(payments.orderId, ada.id));
    expect(await find('4242')).toEqual([ada.reference]);
    expect(await find('4243')).toEqual([]);
  });

  test('finds an order by the letters of its ticket', async () => {
    const { db } = office.context;
    const [ticket] = await db.select().from(tickets).where(eq(tickets.orderId, ada.id));
    expect(await find(ticket?.boardingCode.replace(' ', '').toLowerCase() ?? '')).toEqual([ada.reference]);
  });

  test('finds an order by the plate of one of its journeys', async () => {
    const { db } = office.context;
    await db.update(orderLines).set({ plate: 'BÄR 77' }).where(eq(orderLines.orderId, ada.id));
    expect(await find('bar-77')).toEqual([ada.reference]);
  });

  test.each(['', 'zo', 'no such name', "'", '\\', "a'b\\:*", 'zoe & !king'])(
    'finds nothing by %j',
    async (search) => expect(await find(search)).toEqual([]),
  );

  test('finds a customer without orders by the whole mail address or trip card number', async () => {
    const customer = await createCustomer(office.context, { email: 'lin@example.com' });
    const card = await createTripCard(office.context, customer.id);
    const findCustomers = async (q: string) => {
      const path = `${api.findStaffOrders.path}?${new URLSearchParams({ q })}`;
      return must(await office.request('GET', path, { headers })).customers;
    };
    const found = [{ id: customer.id, name: customer.name, email: 'lin@example.com' }];
    expect(await findCustomers(' LIN@example.com')).toEqual(found);
    expect(await findCustomers(card.number)).toEqual(found);
    expect(await findCustomers('lin@example')).toEqual([]);
  });

  test('answers only the latest orders where many match, and says so', async () => {
    const { db } = office.context;
    for (let count = 0; count < MAX_FOUND - 1; count += 1) await office.takeOrder();
    const path = `${api.findStaffOrders.path}?q=ada@example.com`;
    const found = must(await office.request('GET', path, { headers }));
    expect([found.orders.length, found.has_more]).toEqual([MAX_FOUND, true]);
    expect(await db.$count(orders)).toBe(MAX_FOUND + 1);
  });

  test('is refused without a search, and to staff of the gate', async () => {
    const unsaid = await office.request('GET', api.findStaffOrders.path, { headers });
    expect(unsaid.status).toBe(422);
    const gate = await office.request('GET', `${api.findStaffOrders.path}?q=ada`, {
      headers: await signIn('gate'),
    });
    expect([gate.status, codeOf(gate)]).toEqual([403, 'not_permitted']);
  });
});

describe('GET /api/staff/orders/{reference}', () => {
  const read = (reference: string) =>
    office.request('GET', fillPath(api.getStaffOrder.path, { reference }), { headers });

  test('answers the order as its owner sees it, with what was sent and done', async () => {
    await refundOrder(office.context, {
      ...{ reference: ada.reference, toTripCard: null, note: 'seasick' },
      scope: { kind: 'amount', amount: '1.00' },
      actor: { kind: 'command', systemUser: 'ops' },
    });
    const found = must(await read(ada.reference));
    expect(found.order).toMatchObject({ reference: ada.reference, contact: { email: 'ada@example.com' } });
    expect([found.customer_id, found.ticket_shares]).toEqual([null, []]);
    expect(found.messages.length).toBeGreaterThan(0);
    expect(found.audit).toMatchObject([{ action: 'order_refunded', reason: 'seasick' }]);
    expect(found.scans).toEqual([]);
  });

  test('is not found for an unknown reference', async () => {
    const reply = await read('2222-2222');
    expect([reply.status, codeOf(reply)]).toEqual([404, 'not_found']);
  });
});
