import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { customers, securityEvents, sessions } from '#server/database/schema/people.ts';
import { orders, payments } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { ticketShares } from '#server/database/schema/ticket-shares.ts';
import { tripCardShares, tripCards } from '#server/database/schema/trip-cards.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { ensureProviderCustomer, lockHolder } from '#server/payment-cards/provider-customer.ts';
import { deleteCustomer } from '#server/privacy/delete-customer.ts';
import { eraseGuest } from '#server/privacy/guests.ts';
import { lockCard } from '#server/trip-cards/queries.ts';
import { contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';

/** What is locked, on the database that several connections share. */
describe.runIf(inject('engine') === 'postgres')('an erasure beside other transactions', () => {
  let office: Office;
  let db: Database;
  beforeAll(async () => {
    office = await openOffice();
  });
  afterAll(() => office.close());
  beforeEach(async () => {
    await office.reopen();
    db = office.context.db;
  });

  async function buy(): Promise<string> {
    const { hold, quote } = await office.takeHold({ adults: 1 });
    const { id } = must(await office.order(hold.id, quote.id));
    const { client_secret } = must(await office.pay(id));
    await office.confirmWith(client_secret.split('_secret')[0]);
    await office.provider.deliverNow();
    const { tickets } = await office.readOrder(id);
    const body = { ticket_ids: [tickets[0].id], name: 'Bo', email: 'bo@example.com' };
    must(await office.request('POST', `/api/orders/${id}/shares`, { body }));
    office.clock.advance(30 * 86_400_000);
    return id;
  }

  async function register() {
    const customer = await createCustomer(office.context);
    await startSession(office.context, customer.id);
    const [session] = await db.select().from(sessions).where(eq(sessions.customerId, customer.id));
    return { customer, owner: { customerId: customer.id, sessionId: session?.id ?? '' } };
  }

  /**
   * Begins an erasure while a transaction holds its first locks, and lets the transaction go on once the erasure waits for
   * it. Neither is repeated, as it would be after a deadlock.
   */
  async function meet<First>(
    erase: () => Promise<unknown>,
    other: { first: (tx: Database) => Promise<First>; next: (tx: Database, held: First) => Promise<unknown> },
  ) {
    const { erasing } = await db.transaction(async (tx) => {
      const held = await other.first(tx);
      const begun = vi.spyOn(db, 'transaction');
      const erasure = erase().then(
        () => begun.mock.calls.length,
        (error: unknown) => error,
      );
      await vi.waitUntil(async () => (await queryRows(db, WAITING)).length > 0, { timeout: 10_000 });
      await other.next(tx, held);
      // In an object, because a returned promise would be awaited before the locks are released.
      return { erasing: erasure };
    });
    const outcome = await erasing;
    vi.mocked(db.transaction).mockRestore();
    return outcome;
  }
  const WAITING = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

  test('of a guest locks orders first, and nothing of an order that another transaction has locked', async () => {
    const id = await buy();
    const erase = () =>
      eraseGuest(office.context, { email: contact.email, actor: { kind: 'server' }, reason: null });
    const outcome = await meet(erase, {
      first: (tx) => lockOrder(tx, id),
      next: async (tx) => {
        for (const table of [payments, mails, ticketShares]) {
          const rows = await tx
            .select()
            .from(table)
            .where(eq(table.orderId, id))
            .for('update', { noWait: true });
          expect(rows.length).toBeGreaterThan(0);
        }
        await tx.update(orders).set({ needsAttention: 'payment_in_doubt' }).where(eq(orders.id, id));
      },
    });
    // What has become open while the erasure waited is seen.
    expect(outcome).toMatchObject({ message: expect.stringContaining('that is not finished') });
    expect((await office.readOrder(id)).contact.name).toBe(contact.name);
  });

  test('of an account does not meet a settled payment of its order in a deadlock', async () => {
    const id = await buy();
    const { customer, owner } = await register();
    const card = await createTripCard(office.context, customer.id);
    await db.update(orders).set({ customerId: customer.id }).where(eq(orders.id, id));
    const outcome = await meet(() => deleteCustomer(office.context, owner), {
      first: (tx) => lockOrder(tx, id),
      next: async (tx) => {
        await tx.select().from(payments).where(eq(payments.orderId, id)).for('no key update');
        await lockCard(tx, card.id);
        await referTo(tx, customer.id);
      },
    });
    expect(outcome).toBe(1);
    expect(await db.$count(customers, eq(customers.id, customer.id))).toBe(0);
  });

  test('of an account does not meet a saved payment card in a deadlock', async () => {
    const { customer, owner } = await register();
    const card = await createTripCard(office.context, customer.id);
    await ensureProviderCustomer(office.context, customer.id);
    const outcome = await meet(() => deleteCustomer(office.context, owner), {
      first: (tx) => lockHolder(tx, customer.id),
      next: async (tx) => {
        await lockCard(tx, card.id);
        await referTo(tx, customer.id);
      },
    });
    expect(outcome).toBe(1);
  });

  test('of an account does not meet the acceptance of a shared trip card in a deadlock', async () => {
    const { customer, owner } = await register();
    const other = await createCustomer(office.context);
    const card = await createTripCard(office.context, other.id);
    const now = office.clock.now();
    await db.insert(tripCardShares).values({
      id: newId('shr'),
      tripCardId: card.id,
      email: customer.email,
      role: 'spend',
      status: 'invited',
      insertedAt: now,
      updatedAt: now,
    });
    const isShare = eq(tripCardShares.tripCardId, card.id);
    const outcome = await meet(() => deleteCustomer(office.context, owner), {
      first: (tx) => tx.select().from(tripCardShares).where(isShare).for('no key update'),
      next: (tx) =>
        tx.update(tripCardShares).set({ customerId: customer.id, status: 'active' }).where(isShare),
    });
    expect(outcome).toBe(1);
    expect(await db.$count(tripCardShares, isShare)).toBe(0);
  });

  test('of an account begins again for a trip card that it got meanwhile, and finds its value', async () => {
    const { customer, owner } = await register();
    const card = await createTripCard(office.context, null, { balance: 500 });
    const isCard = eq(tripCards.id, card.id);
    const outcome = await meet(() => deleteCustomer(office.context, owner), {
      first: (tx) => tx.update(tripCards).set({ customerId: customer.id }).where(isCard),
      next: async () => undefined,
    });
    expect(outcome).toMatchObject({ code: 'account_in_use' });
    const [kept] = await db.select().from(tripCards).where(isCard);
    expect(kept).toMatchObject({ customerId: customer.id, balance: 500 });
  });

  /** A row whose foreign key checks the customer. */
  async function referTo(tx: Database, customerId: string): Promise<void> {
    const event = { id: newId('sev'), customerId, kind: 'primary_card_added', device: 'Phone' } as const;
    await tx.insert(securityEvents).values({ ...event, insertedAt: office.clock.now() });
  }
});
