import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { payments, refunds } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { registerProblemReport } from '#server/operations/report-problems.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildCashier } from '#tests/factories/staff.ts';

const DAY = 86_400_000;
let office: Office;
let order: { id: string; reference: string };
beforeAll(async () => {
  office = await openOffice();
  await registerProblemReport(office.context);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await storeWebSettings(office.context, { contact: { email: 'office@ferry.example' } });
  const taken = await office.takePayment();
  await office.confirmWith(taken.intent);
  await office.provider.deliverNow();
  order = await office.readOrder(taken.order.id);
  office.clock.advance(2 * 3_600_000);
});

async function report(): Promise<{ subject: string | null; text: string | null }[]> {
  await office.jobs.send('report-problems', {});
  await office.jobs.runJobs();
  return office.context.db
    .select({ subject: mails.subject, text: mails.text })
    .from(mails)
    .where(eq(mails.kind, 'problems'));
}

async function returnRefund(): Promise<string> {
  const { db, clock } = office.context;
  const [payment] = await db.select().from(payments).where(eq(payments.orderId, order.id));
  const id = newId('rfd');
  await db.insert(refunds).values({
    ...{ id, orderId: order.id, paymentId: payment?.id ?? '', amount: 100, reason: 'goodwill' },
    ...{ status: 'failed', insertedAt: clock.now(), updatedAt: clock.now() },
  });
  return id;
}

test('nothing is reported while nothing needs a person', async () => {
  expect(await report()).toEqual([]);
});

test('a refund that the bank returned is reported each day until it is repeated', async () => {
  const failed = await returnRefund();
  const [first] = await report();
  expect(first?.subject).toContain('Some orders need you');
  expect(first?.text).toContain(order.reference);
  expect(first?.text).toContain('npm run orders:refund -- REFERENCE --only-failed');
  expect(await report(), 'once a day').toHaveLength(1);
  office.clock.advance(DAY);
  expect(await report()).toHaveLength(2);

  const [row] = await office.context.db.select().from(refunds).where(eq(refunds.id, failed));
  if (!row) throw new Error('The refund is gone.');
  await office.context.db
    .insert(refunds)
    .values({ ...row, id: newId('rfd'), status: 'succeeded', retryOfId: failed });
  office.clock.advance(DAY);
  expect(await report()).toHaveLength(2);
});

test('a payment of unknown outcome is reported after an hour', async () => {
  await office.context.db
    .update(payments)
    .set({ status: 'processing' })
    .where(eq(payments.orderId, order.id));
  const [mail] = await report();
  expect(mail?.text).toContain('Look them up at the card provider');
});

test('a mail about an order that was refused is reported without its address', async () => {
  await office.context.db
    .update(mails)
    .set({ status: 'failed', tryAt: office.clock.now() })
    .where(eq(mails.orderId, order.id));
  const [mail] = await report();
  expect(mail?.text).toContain(order.reference);
  expect(mail?.text).not.toContain('ada@example.com');
});

test('a refund that waits for the office for more than a day is reported', async () => {
  const taken = await office.takeOrder();
  const cashier = buildCashier();
  await payOrderByStaff(office.context, { orderId: taken.id, payment: { method: 'cash' }, cashier });
  await refundOrder(office.context, { reference: taken.reference, toTripCard: null, actor: cashier });
  expect(await report()).toEqual([]);
  office.clock.advance(DAY + 1000);
  const [reported] = await report();
  expect(reported?.text).toContain(taken.reference);
  expect(reported?.text).toContain('npm run payments -- due');
});
