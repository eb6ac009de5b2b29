import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { RefundPreview } from '#contract/desk/refunds/schemas.ts';
import type { RefundScope } from '#contract/desk/refunds/scope.ts';
import type { WorkItem } from '#contract/desk/schemas.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { refundRequests } from '#server/database/schema/desk.ts';
import { orders, refunds } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { buyTickets, type Clerk, listActions, signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  office.context.config.refundLimit = 200;
});

const ALL: RefundScope = { kind: 'all' };
const previewed = async (
  clerk: Clerk,
  reference: string,
  scope: RefundScope = ALL,
  card: string | null = null,
) =>
  must(await clerk.call(api.previewStaffRefund, { reference }, { scope, trip_card: card })) as RefundPreview;
const send = (
  clerk: Clerk,
  call: typeof api.refundStaffOrder | typeof api.askForRefund,
  reference: string,
  { version, scope = ALL, card = null }: { version: number; scope?: RefundScope; card?: string | null },
): Promise<TestReply> =>
  clerk.call(call, { reference }, { scope, trip_card: card, version, reason: 'The captain agreed.' });
const listWork = async (clerk: Clerk): Promise<WorkItem[]> => must(await clerk.call(api.listWork, {})).items;

/** What was paid and given back, by the orders and by the refunds. */
async function readMoney(id: string) {
  const { db } = office.context;
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  const given = await db.select().from(refunds).where(eq(refunds.orderId, id));
  return {
    ...{ status: order?.status, refunded: order?.refunded },
    given: given.map(({ amount, status, note }) => ({ amount, status, note })),
  };
}

describe('POST /api/staff/orders/{reference}/cancellations', () => {
  test('cancels tickets for the buyer by the fare’s rules, as quoted', async () => {
    const { id, reference, total } = await buyTickets(office, 2);
    const clerk = await signInClerk(office, 'desk');
    const { order }: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    const [first] = order.tickets;
    const body = { ticket_ids: [first?.id ?? ''] };
    const quote = must(await clerk.call(api.quoteStaffCancellation, { reference }, body));
    const { version, refund } = quote;
    expect(refund).toBe(total / 2);
    const done: StaffOrder = must(
      await clerk.call(api.cancelStaffTickets, { reference }, { ...body, version, refund }),
    );
    expect(done.order.status).toBe('partly_canceled');
    expect(done.cancellations).toMatchObject([{ actor: 'operator', fee: 0, refund }]);
    expect(listActions(done)).toEqual(['tickets_canceled']);
    expect(await readMoney(id)).toMatchObject({ given: [{ amount: refund, note: null }] });
    const again = await clerk.call(api.cancelStaffTickets, { reference }, { ...body, version, refund });
    expect(codeOf(again)).toBe('version_conflict');
  });

  test('refuses what the rules refuse, other roles, and people who have not confirmed who they are', async () => {
    const { id, reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'desk');
    const { order }: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    const body = { ticket_ids: order.tickets.map((ticket) => ticket.id) };
    const { version, refund } = must(await clerk.call(api.quoteStaffCancellation, { reference }, body));
    const cancel = async (by: Clerk) =>
      codeOf(await by.call(api.cancelStaffTickets, { reference }, { ...body, version, refund }));
    expect(await cancel(await signInClerk(office, 'gate'))).toBe('not_permitted');
    expect(await cancel(await signInClerk(office, 'desk', { isFresh: false }))).toBe('step_up_required');
    office.clock.advance(3 * 86_400_000);
    const next = await signInClerk(office, 'desk');
    const late = await next.call(api.quoteStaffCancellation, { reference }, body);
    expect(codeOf(late)).toBe('check_in_closed');
    expect((await readMoney(id)).given).toEqual([]);
  });
});

describe('POST /api/staff/orders/{reference}/refunds', () => {
  test('refunds an order that its fare does not refund any more, with a reason', async () => {
    const { id, reference, total } = await buyTickets(office, 2);
    office.clock.advance(3 * 86_400_000);
    const clerk = await signInClerk(office, 'office');
    const preview = await previewed(clerk, reference);
    expect(preview).toMatchObject({ amount: total, needs_approval: false, limit: 20_000 });
    expect(preview.tickets).toHaveLength(2);
    expect(preview.destinations).toMatchObject([{ destination: 'card', amount: total }]);
    expect((await readMoney(id)).given).toEqual([]);
    const looked = eq(auditLog.action, 'order_viewed');
    expect(await office.context.db.$count(auditLog, looked)).toBe(1);
    const done: StaffOrder = must(await send(clerk, api.refundStaffOrder, reference, preview));
    expect(done.order.status).toBe('canceled');
    expect(done.audit.find(({ action }) => action === 'order_refunded')?.reason).toBe('The captain agreed.');
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect(await readMoney(id)).toEqual({
      ...{ status: 'canceled', refunded: total },
      given: [{ amount: total, status: 'succeeded', note: 'The captain agreed.' }],
    });
    expect(codeOf(await send(clerk, api.refundStaffOrder, reference, preview))).toBe('refund_refused');
    expect((await readMoney(id)).given).toHaveLength(1);
  });

  test('refunds some tickets to a trip card at once', async () => {
    const { id, reference, total } = await buyTickets(office, 2);
    const { id: customerId } = await createCustomer(office.context);
    const card = await createTripCard(office.context, customerId, { balance: 0 });
    const clerk = await signInClerk(office, 'office');
    const { order }: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    const codes = order.tickets.slice(0, 1).map(({ boarding_code: code }) => code);
    const scope: RefundScope = { kind: 'tickets', boarding_codes: codes };
    const { version, destinations } = await previewed(clerk, reference, scope, card.number);
    expect(destinations).toEqual([
      { destination: 'trip_card', network: null, last_four: card.number.slice(-4), amount: total / 2 },
    ]);
    must(await send(clerk, api.refundStaffOrder, reference, { version, scope, card: card.number }));
    const [after] = await office.context.db.select().from(tripCards).where(eq(tripCards.id, card.id));
    expect(after?.balance).toBe(total / 2);
    expect(await readMoney(id)).toMatchObject({ status: 'partly_canceled', refunded: total / 2 });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('refunds an amount and cancels nothing', async () => {
    const { id, reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'office');
    const scope: RefundScope = { kind: 'amount', amount: 150 };
    const { version, tickets } = await previewed(clerk, reference, scope);
    expect(tickets).toEqual([]);
    const done: StaffOrder = must(await send(clerk, api.refundStaffOrder, reference, { version, scope }));
    expect(done.order.status).toBe('confirmed');
    expect((await readMoney(id)).given).toMatchObject([{ amount: 150 }]);
  });

  test.each([
    ['an amount above what was paid', { kind: 'amount', amount: 100_000 }, 'Only $12.75 is left'],
    ['a boarding code of another order', { kind: 'tickets', boarding_codes: ['AAAA AAAA'] }, 'AAAA AAAA'],
  ] as const)('refuses %s, and says why', async (_, scope, text) => {
    const { reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'office');
    const reply = await clerk.call(api.previewStaffRefund, { reference }, { scope, trip_card: null });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'refund_refused']);
    expect(reply.body.errors[0].message).toContain(text);
  });

  test('is for the office and managers, with a step-up and a reason', async () => {
    const { id, reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'office');
    const { version } = await previewed(clerk, reference);
    const refund = async (by: Clerk) => codeOf(await send(by, api.refundStaffOrder, reference, { version }));
    expect(await refund(await signInClerk(office, 'desk'))).toBe('not_permitted');
    expect(await refund(await signInClerk(office, 'manager', { isFresh: false }))).toBe('step_up_required');
    const bad = { scope: ALL, trip_card: null, version, reason: ' ' };
    expect(codeOf(await clerk.call(api.refundStaffOrder, { reference }, bad))).toBe('invalid_input');
    expect(codeOf(await clerk.call(api.previewStaffRefund, { reference: '2222-2222' }, bad))).not.toBe(
      'success',
    );
    expect((await readMoney(id)).given).toEqual([]);
  });
});

describe('a refund above what one person may make', () => {
  test('is refused, asked for, listed, and made by another person who may approve it', async () => {
    office.context.config.refundLimit = 100;
    const { id, reference, total } = await buyTickets(office, 8);
    const grace = await signInClerk(office, 'manager');
    const preview = await previewed(grace, reference);
    expect(preview).toMatchObject({ needs_approval: true, limit: 10_000, amount: total });
    expect(codeOf(await send(grace, api.refundStaffOrder, reference, preview))).toBe('refund_needs_approval');
    const asked: StaffOrder = must(await send(grace, api.askForRefund, reference, preview));
    expect(asked.refund_request).toMatchObject({
      ...{ amount: total, reason: 'The captain agreed.', asked_by: 'Grace Hopper', is_own: true },
      ...{ scope: ALL, trip_card_last_four: null },
    });
    expect(codeOf(await send(grace, api.askForRefund, reference, preview))).toBe('refund_refused');
    const params = { id: asked.refund_request?.id ?? '' };
    expect(await listWork(grace)).toMatchObject([{ kind: 'refund_asked', reference, amount: total }]);

    expect(codeOf(await grace.call(api.approveRefund, params))).toBe('refund_refused');
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await clerk.call(api.approveRefund, params))).toBe('not_permitted');
    const tired = await signInClerk(office, 'manager', { isFresh: false });
    expect(codeOf(await tired.call(api.approveRefund, params))).toBe('step_up_required');
    expect((await readMoney(id)).given).toEqual([]);

    const other = await signInClerk(office, 'manager');
    const done: StaffOrder = must(await other.call(api.approveRefund, params));
    expect(done.refund_request).toBeNull();
    expect(listActions(done)).toEqual(['order_refunded', 'refund_asked']);
    expect(codeOf(await other.call(api.approveRefund, params))).toBe('not_found');
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect(await readMoney(id)).toMatchObject({ status: 'canceled', refunded: total });
    expect((await readMoney(id)).given).toHaveLength(1);
    expect(await listWork(grace)).toEqual([]);
    const [stored] = await office.context.db.select().from(refundRequests);
    expect(stored).toMatchObject({ status: 'approved', askedBy: grace.id, decidedBy: other.id });
  });

  test('counts what was refunded before with a reason, and not what the fare’s rules gave back', async () => {
    office.context.config.refundLimit = 20;
    const { reference } = await buyTickets(office, 4);
    const clerk = await signInClerk(office, 'office');
    const scope: RefundScope = { kind: 'amount', amount: 1500 };
    const first = await previewed(clerk, reference, scope);
    must(await send(clerk, api.refundStaffOrder, reference, { ...first, scope }));
    const second = await previewed(clerk, reference, scope);
    expect(second.needs_approval).toBe(true);
    const reply = await send(clerk, api.refundStaffOrder, reference, { ...second, scope });
    expect(codeOf(reply)).toBe('refund_needs_approval');
  });

  test('is not made after the order has changed, and ends when it is refused', async () => {
    office.context.config.refundLimit = 0;
    const { id, reference } = await buyTickets(office, 1);
    const clerk = await signInClerk(office, 'office');
    const preview = await previewed(clerk, reference);
    const asked: StaffOrder = must(await send(clerk, api.askForRefund, reference, preview));
    const params = { id: asked.refund_request?.id ?? '' };
    must(
      await clerk.call(
        api.correctStaffOrder,
        { reference },
        { traveler_names: ['Ada'], mail_tickets: false },
      ),
    );
    const manager = await signInClerk(office, 'manager');
    expect(codeOf(await manager.call(api.approveRefund, params))).toBe('refund_refused');
    const colleague = await signInClerk(office, 'office');
    expect(codeOf(await colleague.call(api.refuseRefund, params))).toBe('not_permitted');
    const refused: StaffOrder = must(await clerk.call(api.refuseRefund, params));
    expect(refused.refund_request).toBeNull();
    expect(listActions(refused)).toEqual(['refund_refused', 'order_corrected', 'refund_asked']);
    expect(codeOf(await manager.call(api.approveRefund, params))).toBe('not_found');
    await eraseOrders(office.context.db, [id]);
    const [stored] = await office.context.db.select().from(refundRequests);
    expect(stored).toMatchObject({ status: 'refused', reason: '' });
    expect((await readMoney(id)).given).toEqual([]);
  });
});
