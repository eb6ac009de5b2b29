import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createVault } from '#server/core/vault.ts';
import { queryRows } from '#server/database/database.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const clock = { now: () => new Date('2026-06-01T15:00:00Z') };
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.runIf(inject('engine') === 'postgres')(
  'A travel document is read from one snapshot, also when the order is canceled meanwhile',
  async () => {
    const { db } = database;
    const ticketSigner = await createTicketSigner({
      db,
      vault: createVault('a secret of the tests, thirty-two'),
      clock,
    });
    const { id } = await buildConfirmedOrder({ db, clock, ticketSigner });
    const { found } = await db.transaction(async (writer) => {
      await writer.execute(sql`lock table tickets in access exclusive mode`);
      const reading = findTravelDocument(db, id);
      const waiting = sql`select 1 from pg_locks where relation = 'tickets'::regclass and not granted`;
      await vi.waitUntil(async () => (await queryRows(db, waiting)).length > 0, { timeout: 20_000 });
      await writer.update(orders).set({ status: 'canceled' }).where(eq(orders.id, id));
      await writer.update(tickets).set({ status: 'canceled' }).where(eq(tickets.orderId, id));
      // In an object, because a returned promise would be awaited before the lock is released.
      return { found: reading };
    });
    const document = await found;
    expect(document?.order.status).toBe('confirmed');
    expect(document?.tickets.length).toBeGreaterThan(0);
  },
);
