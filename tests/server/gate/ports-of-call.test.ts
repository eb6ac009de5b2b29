import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryRows } from '#server/database/database.ts';
import { orderLines, orders, tickets } from '#server/database/schema/sales.ts';
import { countPeople } from '#server/gate/count-people.ts';
import { recordGateEvents } from '#server/gate/record-events.ts';
import { issueTickets } from '#server/orders/tickets/issue-tickets.ts';
import { newEventId } from '#tests/factories/gate.ts';
import { buildIslandFeed, EASTBOUND } from '#tests/factories/island-line.ts';
import { buildCashier, createStaffMember } from '#tests/factories/staff.ts';
import { buildOrderOn, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TUESDAY = '2026-06-02';
const PORTS = EASTBOUND.map(([port]) => port);

let server: TestServer;
/** Ids of Tuesday's sailings, such as `lopez-orcas`. */
let sailings: Map<string, string>;
beforeAll(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, buildIslandFeed());
  const rows = await queryRows<{ id: string; pair: string }>(
    server.context.db,
    sql`
    select s.id, o.gtfs_stop_id || '-' || d.gtfs_stop_id as pair
    from sailings s join routes r on r.id = s.route_id
    join ports o on o.id = r.origin_port_id join ports d on d.id = r.destination_port_id
    where s.service_date = ${TUESDAY}`,
  );
  sailings = new Map(rows.map(({ id, pair }) => [pair, id]));
});
afterAll(() => server.close());

/** Someone with a ticket goes aboard at its first port. */
async function board(pair: string): Promise<void> {
  const { db } = server.context;
  const sailingId = sailings.get(pair) ?? '';
  const orderId = await buildOrderOn(db, sailingId);
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const lines = await db.select().from(orderLines).where(eq(orderLines.orderId, orderId));
  if (!order) throw new Error('The order is missing.');
  const sold = lines.map((line) => ({ ...line, departsAt: new Date(`${TUESDAY}T09:00:00Z`) }));
  await db.insert(tickets).values(issueTickets(server.context, { order, lines: sold }));
  const issued = await db.select().from(tickets).where(eq(tickets.orderId, orderId));
  const { id: staffId } = await createStaffMember(server.context, 'gate');
  await recordGateEvents(server.context, {
    events: [
      {
        ...{ type: 'board', id: newEventId(), sailing_id: sailingId, device: 'Ramp 1' },
        ...{ occurred_at: server.clock.now().toISOString(), tickets: issued.map(({ id }) => id) },
      },
    ],
    actor: { ...buildCashier(), staffId },
  });
}

test('people who stay aboard at a port count there, and those who land there do not', async () => {
  const trips = ['mainland-lopez', 'mainland-orcas', 'mainland-friday', 'lopez-friday', 'shaw-orcas'];
  for (const trip of trips) await board(trip);
  const counted = [];
  for (const port of PORTS.slice(0, -1)) {
    const ids = [...sailings].flatMap(([pair, id]) => (pair.startsWith(`${port}-`) ? [id] : []));
    const { people, through } = await countPeople(server.context.db, ids);
    counted.push({ port, people, through });
  }
  expect(counted).toEqual([
    { port: 'mainland', people: 3, through: 0 },
    { port: 'lopez', people: 3, through: 2 },
    { port: 'shaw', people: 4, through: 3 },
    { port: 'orcas', people: 2, through: 2 },
  ]);
});
