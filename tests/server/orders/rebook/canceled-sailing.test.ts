import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { orders } from '#server/database/schema/sales.ts';
import { registerOfferJobs } from '#server/orders/rebook/settle-offers.ts';
import { lastCode } from '#tests/factories/account-mails.ts';
import { contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

const ORDERS = 40;
let office: Office;
let sailing: string;
let next: string;
const bought: TestReply['body'][] = [];

beforeAll(async () => {
  office = await openOffice({ passengers: 60 });
  await registerOfferJobs(office.context);
  [sailing = '', next = ''] = office.ferry.outward;
  for (let count = 0; count < ORDERS; count += 1) {
    const { order, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    bought.push(order);
  }
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', sailing]));
}, 120_000);
afterAll(() => office.close());

const post = async (path: string, body: object) =>
  must(await office.request('POST', path, { body, idempotencyKey: crypto.randomUUID() }));

async function countOrders(status: 'confirmed' | 'canceled'): Promise<number> {
  return office.context.db.$count(orders, eq(orders.status, status));
}

async function checkBooks(): Promise<void> {
  expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  expect(await findBrokenBooks(office.context)).toEqual([]);
}

describe('a canceled sailing with 40 orders', () => {
  it('keeps a place for each on the next one, and writes to each once', async () => {
    expect(await office.count('mails:sailing-canceled')).toBe(ORDERS);
    expect((await office.taken(next)).passenger).toEqual([ORDERS, 0]);
    await checkBooks();
  });

  it('lets one travel on the next sailing, with one call', async () => {
    const [{ id }] = bought;
    const { version, journeys } = must(await office.request('GET', `/api/orders/${id}/options`));
    const [boat] = journeys[0].protected.journey;
    await post(`/api/orders/${id}/rebook`, { direction: 'out', sailing_ids: [boat.sailing_id], version });
    expect((await office.taken(next)).passenger).toEqual([ORDERS - 1, 1]);
    await checkBooks();
  });

  it('gives one the full refund by choice', async () => {
    const [, { id }] = bought;
    const { tickets } = await office.readOrder(id);
    const ticket_ids = tickets.map((ticket: { id: string }) => ticket.id);
    const { version, refund } = await post(`/api/orders/${id}/cancellations/quote`, { ticket_ids });
    const { temp } = await post(`/api/orders/${id}/cancellations/code`, {});
    const { code } = await lastCode(office.context, contact.email);
    const proof = { temp, code };
    await post(`/api/orders/${id}/cancellations`, { ticket_ids, version, refund, proof });
    expect(refund).toBe(1275);
    expect((await office.taken(next)).passenger).toEqual([ORDERS - 2, 1]);
    await checkBooks();
  });

  it('refunds the silent ones at the deadline, and only them', async () => {
    office.clock.advance(72 * 3_600_000);
    await office.jobs.send('settle-offers', {});
    await office.jobs.send('expire-holds', {});
    await office.jobs.runJobs();
    expect([await countOrders('confirmed'), await countOrders('canceled')]).toEqual([1, ORDERS - 1]);
    expect(await office.count('mails:order-refunded-unanswered')).toBe(ORDERS - 2);
    await checkBooks();
  });
});
