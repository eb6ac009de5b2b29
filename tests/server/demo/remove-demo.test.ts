import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { loadDemo } from '#server/demo/demo.ts';
import { removeDemo } from '#server/demo/remove-demo.ts';
import { recordGateEvents } from '#server/gate/record-events.ts';
import { addGateDevice, findGateDevice, pairGateDevice } from '#server/gate-devices/devices.ts';
import { transfer } from '#server/trip-cards/transfer.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { newEventId } from '#tests/factories/gate.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import { copyRows } from '#tests/setup/database.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let open: TestServer;
let restoreDemo: () => Promise<void>;
beforeAll(async () => {
  open = await openTestServer();
  await loadDemo(open.context);
  restoreDemo = await copyRows(open.database.store);
});
afterAll(() => open.close());
beforeEach(() => restoreDemo());

/** Tables with rows, except those that every installation has. */
async function filledTables({ database }: TestServer): Promise<string[]> {
  const tables = await database.store.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  );
  const filled: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.store.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    if ((row?.count ?? 0) > 0) filled.push(name);
  }
  return filled;
}

describe('removeDemo', () => {
  test('removes all demo data, reports it, and does nothing the second time', async () => {
    const removed = await removeDemo(open.context);
    expect(removed).toMatchObject({
      customers: 1,
      paymentCards: 1,
      orders: 15,
      tripCards: 5,
      remaining: { orders: 0, tripCards: 0 },
      timetable: 'removed',
    });
    expect(Math.min(removed.tickets, removed.entries, removed.sailings)).toBeGreaterThan(10);
    expect(await filledTables(open)).toEqual([
      'audit_log',
      'dropped_methods',
      'push_keys',
      'rate_limits',
      'ticket_keys',
    ]);
    expect(await removeDemo(open.context)).toMatchObject({
      customers: 0,
      orders: 0,
      tripCards: 0,
      timetable: 'none',
    });
    expect((await loadDemo(open.context))?.email).toBe('demo@harborline.example');
  });

  test('keeps a timetable with another customer’s order, and releases the demo’s places', async () => {
    const customer = await createCustomer(open.context);
    const token = await startSession(open.context, customer.id);
    await open.database.store.query(
      `update orders set customer_id = $1 where id = (
         select o.id from orders o join order_lines l on l.order_id = o.id join sailings s on s.id = l.sailing_id
         where o.status = 'confirmed' and s.departs_at > $2::timestamptz order by s.departs_at limit 1)`,
      [customer.id, open.clock.now().toISOString()],
    );
    expect(await removeDemo(open.context)).toMatchObject({ orders: 14, timetable: 'in_use', sailings: 0 });
    const orders = must(await open.request('GET', api.listOrders.path, { token }));
    expect(orders).toHaveLength(1);
    const { wrongPayments: _, ...books } = await auditBooks(open.database.store);
    const { wrongPayments: __, ...clean } = cleanBooks;
    expect(books).toEqual(clean);
  });

  test('keeps who is aboard of another customer, and revokes the devices that the demo’s manager has paired', async () => {
    const { context, database } = open;
    const customer = await createCustomer(context);
    await database.store.query('update orders set customer_id = $1', [customer.id]);
    const [ticket] = await database.store.query<{ id: string; sailing: string }>(
      `select id, sailing_id as sailing from tickets where status = 'issued' limit 1`,
    );
    const [manager] = await database.store.query<{ id: string }>(
      `select id from staff_members where role = 'manager'`,
    );
    if (!ticket || !manager) throw new Error('The demo has no ticket or no manager.');
    const board = { type: 'board' as const, id: newEventId(), sailing_id: ticket.sailing, device: 'Ramp 1' };
    const actor = { kind: 'staff', staffId: manager.id, role: 'manager', device: '', network: '' } as const;
    await recordGateEvents(context, {
      events: [{ ...board, tickets: [ticket.id], occurred_at: context.clock.now().toISOString() }],
      actor,
    });
    const { link } = await addGateDevice(context, { name: 'Ramp 1', actor });
    const { key } = await pairGateDevice(context, link.split('#token=')[1] ?? '');
    await removeDemo(context);
    const [kept] = await database.store.query<{ status: string }>(
      'select status from tickets where id = $1',
      [ticket.id],
    );
    expect(kept?.status).toBe('boarded');
    expect(await findGateDevice(context.db, key)).toBeNull();
  });

  test('keeps trip cards and orders that the ledger of another card refers to, without their owner', async () => {
    const [demo] = await open.database.store.query<{ id: string; card: string }>(
      "select c.id, t.id as card from customers c join trip_cards t on t.customer_id = c.id where t.name = 'Everyday card'",
    );
    const other = await createTripCard(open.context, demo?.id ?? null, { currency: 'USD' });
    const { id: customerId } = await createCustomer(open.context);
    const move = {
      customerId: demo?.id ?? '',
      fromId: demo?.card ?? '',
      toId: other.id,
      amount: 100,
      key: 'k',
    };
    await transfer(open.context, move);
    await open.database.store.query('update trip_cards set customer_id = $1 where id = $2', [
      customerId,
      other.id,
    ]);
    await open.database.store.query(`update orders set traveler_names = '["Ada"]'`);
    const removed = await removeDemo(open.context);
    expect(removed.remaining.tripCards).toBe(1);
    expect(removed).toMatchObject({ customers: 1, tripCards: 4, timetable: 'in_use' });
    expect(await findBrokenBooks(open.context)).toEqual([]);
    expect(await open.database.store.query('select id from orders where customer_id is not null')).toEqual(
      [],
    );
    expect(
      await open.database.store.query(
        "select id from orders where contact_email <> '' or contact_name <> '' or traveler_names <> '[]'",
      ),
    ).toEqual([]);
  });

  test('removes everything or nothing', async () => {
    const before = await filledTables(open);
    await open.database.store.query('create table keeps (id text references customers (id))');
    await open.database.store.query('insert into keeps select id from customers');
    await expect(removeDemo(open.context)).rejects.toThrow();
    expect(await filledTables(open)).toEqual([...before, 'keeps'].toSorted());
    await open.database.store.query('drop table keeps');
  });

  test('deletes only the ledger of demo cards', async () => {
    const customer = await createCustomer(open.context);
    const card = await createTripCard(open.context, customer.id, { balance: 500 });
    const remove = open.database.store.query('delete from trip_card_entries where trip_card_id = $1', [
      card.id,
    ]);
    await expect(remove).rejects.toThrow('append-only');
    await removeDemo(open.context);
    expect(await open.database.store.query('select balance::int from trip_cards')).toEqual([
      { balance: 500 },
    ]);
  });

  test('has the saved payment card detached at the provider by the next run', async () => {
    const dropped = () => open.database.store.query('select provider_reference from dropped_methods');
    expect(await dropped()).toEqual([]);
    await removeDemo(open.context);
    expect(await dropped()).toEqual([{ provider_reference: expect.stringMatching(/^pm_/) }]);
    expect(
      codeOf(
        await open.request('POST', api.signIn.path, {
          body: { email: 'demo@harborline.example', password: 'x' },
        }),
      ),
    ).toBe('invalid_credentials');
  });
});
