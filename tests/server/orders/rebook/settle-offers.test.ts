import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { queryRows } from '#server/database/database.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { feed } from '#server/database/schema/timetable.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { isRefundOverdue } from '#server/orders/pay/unsettled.ts';
import { registerOfferJobs, settleDueOffers } from '#server/orders/rebook/settle-offers.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  await registerOfferJobs(office.context);
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

async function run(...args: string[]): Promise<void> {
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
}

async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<string> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';

async function runJobs(): Promise<void> {
  await office.jobs.send('settle-offers', {});
  await office.jobs.runJobs();
  // The refunds that the first run asked for.
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

async function statusesOf(orderId: string): Promise<string[]> {
  const rows = await office.context.db
    .select()
    .from(rebookingOffers)
    .where(eq(rebookingOffers.orderId, orderId));
  return rows.map(({ status }) => status);
}

async function mailsAbout(orderId: string) {
  const isAbout = eq(mails.orderId, orderId);
  const rows = await office.context.db.select().from(mails).where(isAbout).orderBy(mails.insertedAt);
  return rows.filter(({ kind }) => kind !== 'order-confirmed');
}

const HOURS = 3_600_000;

describe('settleDueOffers', () => {
  it('refunds a canceled sailing in full at the deadline, once, with a mail', async () => {
    const orderId = await buy({ adults: 2 });
    await run('cancel', out(0));
    office.clock.advance(72 * HOURS - 1);
    await runJobs();
    expect(await office.readOrder(orderId)).toMatchObject({ status: 'confirmed', refunded: 0 });
    office.clock.advance(1);
    await Promise.all([settleDueOffers(office.context), settleDueOffers(office.context)]);
    await runJobs();
    expect(await office.readOrder(orderId)).toMatchObject({
      ...{ status: 'canceled', payment_status: 'refunded', needs_attention: null, refunded: 2550 },
      refunds: [{ amount: 2550, reason: 'sailing_canceled', status: 'succeeded' }],
    });
    expect(await statusesOf(orderId)).toEqual(['refunded']);
    const sent = await mailsAbout(orderId);
    expect(sent.map(({ kind }) => kind)).toEqual(['sailing-canceled', 'order-refunded-unanswered']);
    const [, last] = sent;
    const { text } = (await prepareMail(office.context, { ...last!, subject: null }, demoSettings)).content;
    expect(text).toContain('the deadline for it has passed');
    expect(text).toContain('Refund: $25.50');
    expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  it('leaves the other journey of a return trip as it is', async () => {
    const orderId = await buy({ legs: [out(0), back(5)] });
    await run('cancel', out(0));
    office.clock.advance(72 * HOURS);
    await runJobs();
    const { status, refunded, tickets, needs_attention } = await office.readOrder(orderId);
    expect({ status, refunded, needs_attention }).toEqual({
      ...{ status: 'partly_canceled', refunded: 1275, needs_attention: null },
    });
    expect(tickets.map((ticket: { leg: string; status: string }) => [ticket.leg, ticket.status])).toEqual([
      ['out', 'canceled'],
      ['back', 'issued'],
    ]);
  });

  it('keeps the tickets of a late sailing, and puts the protected places on sale', async () => {
    const orderId = await buy();
    await run('delay', out(0), '150');
    expect((await office.taken(out(1))).passenger).toEqual([1, 0]);
    office.clock.advance(24 * HOURS);
    await runJobs();
    expect(await office.readOrder(orderId)).toMatchObject({ status: 'confirmed', refunded: 0 });
    expect(await statusesOf(orderId)).toEqual(['kept']);
    expect((await office.taken(out(1))).passenger).toEqual([0, 0]);
  });

  it('leaves a new choice to a late sailing that is canceled after its choice has ended', async () => {
    const orderId = await buy();
    await office.context.db.update(feed).set({ choiceHours: 1, revision: crypto.randomUUID() });
    await run('delay', out(0), '150');
    office.clock.advance(HOURS);
    await runJobs();
    await run('cancel', out(0));
    expect((await statusesOf(orderId)).toSorted()).toEqual(['kept', 'open']);
    office.clock.advance(HOURS);
    await runJobs();
    expect(await office.readOrder(orderId)).toMatchObject({ status: 'canceled', refunded: 1275 });
  });

  it('refunds nothing while the bank decides about the payment', async () => {
    const orderId = await buy();
    await run('cancel', out(0));
    await office.context.db.update(orders).set({ paymentStatus: 'disputed' });
    office.clock.advance(72 * HOURS);
    await runJobs();
    expect(await office.readOrder(orderId)).toMatchObject({ status: 'confirmed', refunded: 0 });
    expect(await statusesOf(orderId)).toEqual(['kept']);
    expect(office.logged).toContainEqual(
      expect.objectContaining({
        event: 'offer not refunded while the payment is disputed',
        order_id: orderId,
      }),
    );
    expect(await listOverdue()).toEqual([orderId]);
    await office.context.db.update(orders).set({ paymentStatus: 'refunded' });
    expect(await listOverdue()).toEqual([]);
  });
});

async function listOverdue(): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    office.context.db,
    sql`select o.id from orders o where ${isRefundOverdue}`,
  );
  return rows.map(({ id }) => id);
}
