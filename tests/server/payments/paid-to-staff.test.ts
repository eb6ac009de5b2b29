import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { paymentsCommand } from '#server/commands/payments.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { tripCardEntries } from '#server/database/schema/trip-cards.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { reportSales } from '#server/operations/sales-report.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import type { StaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import { listDueRefunds, payOutRefund } from '#server/orders/pay/pay-out-refund.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { firstLineOf, runCommandLine } from '#tests/setup/command-line.ts';

const TERMINAL = { method: 'terminal', reference: 'Receipt 0042' } as const;
const cashier = buildCashier();
let office: Office;
let order: { id: string; total: number; reference: string };
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  order = await office.takeOrder({ adults: 2 });
});

const pay = (payment: StaffPayment = { method: 'cash' }) =>
  payOrderByStaff(office.context, { orderId: order.id, payment, cashier });
const refund = (toTripCard: string | null = null) =>
  refundOrder(office.context, { reference: order.reference, toTripCard, actor: cashier });
const run = (...args: string[]) => runCommandLine(office, paymentsCommand, ...args);
const listActions = async () =>
  (await office.context.db.select().from(auditLog)).map(({ action, after }) => [action, after]);

describe('an order that is paid to staff', () => {
  test('is confirmed at once, with who took the money and at which device', async () => {
    const payment = await pay(TERMINAL);
    expect(payment).toMatchObject({
      ...{ method: 'terminal', terminalReference: 'Receipt 0042', amount: order.total, status: 'succeeded' },
      ...{ staffId: cashier.staffId, staffDevice: 'Ramp 1', providerReference: null },
    });
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'confirmed', payment_status: 'paid', paid: order.total },
      payments: [{ method: 'terminal', amount: order.total, status: 'succeeded', last_four: null }],
    });
    expect(await office.count('mails:order-confirmed')).toBe(1);
    expect(await listActions()).toEqual([['payment_taken', { method: 'terminal', amount: order.total }]]);
  });

  test('is paid once, and not after its hold has expired', async () => {
    await pay();
    await expect(pay()).rejects.toMatchObject({ code: 'already_paid' });
    expect(await office.count('payments')).toBe(1);
    order = await office.takeOrder();
    office.clock.advance(3_600_000);
    await expect(pay()).rejects.toMatchObject({ code: 'hold_expired' });
    expect(await office.count('payments')).toBe(1);
  });

  test('is not also charged to the payment card that was tried before', async () => {
    const { order: tried, intent } = await office.takePayment();
    await payOrderByStaff(office.context, { orderId: tried.id, payment: { method: 'cash' }, cashier });
    expect(await office.confirmWith(intent)).toBeInstanceOf(Error);
    await office.provider.deliverNow();
    const read = await office.readOrder(tried.id);
    expect(read).toMatchObject({ status: 'confirmed', paid: read.total, refunds: [] });
  });

  test('waits for a payment that is in progress', async () => {
    const { order: tried, intent } = await office.takePayment();
    await office.confirmWith(intent);
    const payment = { method: 'cash' } as const;
    const paid = payOrderByStaff(office.context, { orderId: tried.id, payment, cashier });
    await expect(paid).rejects.toMatchObject({ code: 'already_paid' });
  });

  test('takes the value of a trip card that is shown, without a session of its owner', async () => {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: order.total + 100 });
    await pay({ method: 'trip_card', cardId: card.id, coverage: null });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', paid: order.total });
    const entries = await office.context.db.select().from(tripCardEntries);
    expect(entries.at(-1)).toMatchObject({
      ...{ kind: 'fare', amount: -order.total, balanceAfter: 100, place: 'Ramp 1', actor: 'staff' },
    });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('stays unpaid if the trip card has too little', async () => {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: order.total - 1 });
    const paid = pay({ method: 'trip_card', cardId: card.id, coverage: null });
    await expect(paid).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'held', paid: 0, payments: [] });
    expect(await listActions()).toEqual([]);
  });
});

describe('a refund of what staff took', () => {
  test('waits until the office has paid it out, and never goes to the card provider', async () => {
    await pay();
    const { refunds } = await refund();
    expect(refunds).toMatchObject([{ amount: order.total, status: 'awaiting_payout', tripCardId: null }]);
    office.clock.advance(120_000);
    await office.jobs.send('reconcile-payments', {});
    await office.jobs.runJobs();
    expect((await office.stripe.refunds.list()).data).toEqual([]);
    const due = await listDueRefunds(office.context.db);
    expect(due).toMatchObject([{ reference: order.reference, amount: order.total, reason: 'operator' }]);
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'canceled', payment_status: 'paid', refunded: 0 },
      refunds: [{ destination: 'cash', status: 'awaiting_payout', amount: order.total }],
    });
  });

  test('counts as refunded once it is paid out, once', async () => {
    await pay(TERMINAL);
    const { refunds } = await refund();
    const input = { refundId: refunds[0]?.id ?? '', actor: cashier, terminalReference: 'Receipt 0043' };
    await payOutRefund(office.context, input);
    await payOutRefund(office.context, input);
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ payment_status: 'refunded', refunded: order.total },
      refunds: [{ destination: 'terminal', status: 'succeeded' }],
    });
    const paidOut = { method: 'terminal', amount: order.total };
    expect(await listActions()).toEqual([
      ['payment_taken', paidOut],
      ['order_refunded', expect.anything()],
      ['refund_paid_out', paidOut],
    ]);
  });

  test('goes to a trip card at once where the operator says so', async () => {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id);
    await pay();
    const { refunds } = await refund(card.number);
    expect(refunds).toMatchObject([{ status: 'succeeded', tripCardId: card.id }]);
    expect(await listDueRefunds(office.context.db)).toEqual([]);
    expect(await office.readOrder(order.id)).toMatchObject({ refunds: [{ destination: 'trip_card' }] });
  });

  test('tells the buyer where the money is', async () => {
    await pay();
    await refund();
    const document = await findTravelDocument(office.context.db, order.id);
    if (!document) throw new Error('The order is not there.');
    const input = { document, settings: demoSettings, origin: 'https://example.com' };
    const letter = renderText(orderMailContent('order-given-back', input));
    expect(letter).toContain('You get $25.50 back at the ticket booth.');
  });

  test('is listed and noted by a command', async () => {
    await pay();
    expect(await firstLineOf(run('due'))).toEqual([0, 'Nothing is to be paid out.']);
    const { refunds } = await refund();
    const id = refunds[0]?.id ?? '';
    const listed = await run('due', '--csv');
    expect(listed.stdout).toContain(`${id},2026-06-01T15:00:00.000Z,${order.reference},25.50,USD,operator`);
    expect(await firstLineOf(run('paid-out', id))).toEqual([0, 'Noted.']);
    expect(await firstLineOf(run('due'))).toEqual([0, 'Nothing is to be paid out.']);
    expect(await firstLineOf(run('paid-out', 'rfd_none'))).toEqual([1, 'There is no refund with this id.']);
  });

  test('of a payment card is not paid out', async () => {
    const { order: paid, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const { refunds } = await refundOrder(office.context, {
      ...{ reference: paid.reference, toTripCard: null, actor: cashier },
    });
    expect(await firstLineOf(run('paid-out', refunds[0]?.id ?? ''))).toEqual([
      1,
      'This refund does not wait for the office: it goes back to a card.',
    ]);
  });
});

test('the report of sales counts what staff took by its method', async () => {
  await pay();
  await refund();
  const other = await office.takeOrder({ adults: 1 });
  await payOrderByStaff(office.context, { orderId: other.id, payment: TERMINAL, cashier });
  const range = { from: '2026-06-01', until: '2026-06-01', zone: 'America/Los_Angeles' };
  const { columns, rows } = await reportSales(office.context.db, range);
  const [row = []] = rows;
  const read = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
  expect(read).toMatchObject({
    card: '0.00',
    cash: '25.50',
    terminal: '12.75',
    refunded: '25.50',
    net: '12.75',
  });
});

test('a visitor cannot pay in cash', async () => {
  const path = fillPath(api.startPayment.path, { id: order.id });
  const reply = await office.request('POST', path, {
    body: { method: 'cash' },
    idempotencyKey: crypto.randomUUID(),
  });
  expect(reply.status).toBe(422);
});
