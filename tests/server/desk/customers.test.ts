import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffCustomer } from '#contract/desk/customers/schemas.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { newId } from '#server/core/ids.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { customers } from '#server/database/schema/people.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { buyTickets, listActions, signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';

let office: Office;
let customer: Awaited<ReturnType<typeof createCustomer>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  customer = await createCustomer(office.context);
});

const unknown = { id: 'cus_00000000000000000000000000' };
const balances = ({ trip_cards: cards }: StaffCustomer) =>
  cards.map(({ status, balance }) => [status, balance]);

describe('GET /api/staff/customers/{id}', () => {
  test('answers the account with its orders and balances, and the log has who looked', async () => {
    const { id, reference } = await buyTickets(office, 1);
    await office.context.db.update(orders).set({ customerId: customer.id }).where(eq(orders.id, id));
    await createTripCard(office.context, customer.id, { balance: 1250 });
    await startSession(office.context, customer.id);
    const clerk = await signInClerk(office, 'desk');
    const order: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    expect(order.customer_id).toBe(customer.id);
    const found: StaffCustomer = must(await clerk.call(api.getStaffCustomer, { id: customer.id }));
    expect(found).toMatchObject({ id: customer.id, email: customer.email, sessions: 1 });
    expect(found.orders.map((each) => each.reference)).toEqual([reference]);
    expect(balances(found)).toEqual([['active', 1250]]);
    const entries = await office.context.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'customer_viewed'));
    expect(entries).toMatchObject([{ objectId: customer.id, actorId: clerk.id }]);
  });

  test('shows nothing by which someone could sign in or pay as the customer', async () => {
    const now = office.clock.now();
    await office.context.db.insert(mails).values({
      ...{
        id: newId('mal'),
        kind: 'sign-in-code',
        toAddress: customer.email,
        subject: '123456 is your code',
      },
      ...{ status: 'sent', insertedAt: now, sentAt: now },
    });
    const clerk = await signInClerk(office, 'manager');
    const found: StaffCustomer = must(await clerk.call(api.getStaffCustomer, { id: customer.id }));
    expect(found.mails).toMatchObject([{ subject: 'About the account' }]);
    expect(JSON.stringify(found)).not.toContain('123456');
    expect(Object.keys(found).toSorted()).toEqual(
      [
        ...[
          'audit',
          'blocked',
          'email',
          'has_more_orders',
          'id',
          'inserted_at',
          'mails',
          'name',
          'orders',
          'phone',
        ],
        ...['sessions', 'trip_cards'],
      ].toSorted(),
    );
  });

  test('is not found for an unknown customer, and refused to staff of the gate', async () => {
    const clerk = await signInClerk(office, 'desk');
    expect(codeOf(await clerk.call(api.getStaffCustomer, unknown))).toBe('not_found');
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.getStaffCustomer, { id: customer.id }))).toBe('not_permitted');
  });
});

describe('POST /api/staff/customers/{id}/unblock', () => {
  const isOfCustomer = () => eq(customers.id, customer.id);

  test('lets a customer try again whose password and codes are blocked, and says so in the log', async () => {
    const { db } = office.context;
    const lockedUntil = new Date(office.clock.now().getTime() + 3_600_000);
    await db
      .update(customers)
      .set({ passwordHash: 'any', passwordFailures: 100, secondStepFailures: 30 })
      .where(isOfCustomer());
    await db.update(customers).set({ secondStepLockedUntil: lockedUntil }).where(isOfCustomer());
    const clerk = await signInClerk(office, 'desk');
    const blocked: StaffCustomer = must(await clerk.call(api.getStaffCustomer, { id: customer.id }));
    expect(blocked.blocked).toEqual({ password: true, codes_until: lockedUntil.toISOString() });
    const after: StaffCustomer = must(await clerk.call(api.unblockCustomer, { id: customer.id }));
    expect(after.blocked).toBeNull();
    const [row] = await db.select().from(customers).where(isOfCustomer());
    expect(row).toMatchObject({
      ...{ passwordFailures: 0, secondStepFailures: 0, secondStepLockedUntil: null },
    });
    must(await clerk.call(api.unblockCustomer, { id: customer.id }));
    const entries = after.audit.filter(({ action }) => action === 'customer_unblocked');
    expect(entries).toMatchObject([
      {
        changes: [
          { field: 'codes', before: 'blocked', after: 'unblocked' },
          { field: 'password', before: 'blocked', after: 'unblocked' },
        ],
      },
    ]);
    const unblocked = eq(auditLog.action, 'customer_unblocked');
    expect(await db.$count(auditLog, unblocked)).toBe(1);
  });

  test('needs a step-up and a known customer, and is refused to staff of the gate', async () => {
    const tired = await signInClerk(office, 'desk', { isFresh: false });
    expect(codeOf(await tired.call(api.unblockCustomer, { id: customer.id }))).toBe('step_up_required');
    const clerk = await signInClerk(office, 'desk');
    expect(codeOf(await clerk.call(api.unblockCustomer, unknown))).toBe('not_found');
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.unblockCustomer, { id: customer.id }))).toBe('not_permitted');
  });
});

describe('POST /api/staff/trip_cards/{id}/lost', () => {
  test('blocks the card and moves its value to a new one, once', async () => {
    const card = await createTripCard(office.context, customer.id, { balance: 1250 });
    const clerk = await signInClerk(office, 'desk');
    const after: StaffCustomer = must(await clerk.call(api.replaceStaffTripCard, { id: card.id }));
    expect(balances(after)).toEqual([
      ['active', 1250],
      ['lost', 0],
    ]);
    must(await clerk.call(api.replaceStaffTripCard, { id: card.id }));
    const replaced = eq(auditLog.action, 'trip_card_replaced');
    expect(await office.context.db.$count(auditLog, replaced)).toBe(1);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('needs a step-up and a card of a customer', async () => {
    const card = await createTripCard(office.context, customer.id, { balance: 1250 });
    const tired = await signInClerk(office, 'desk', { isFresh: false });
    expect(codeOf(await tired.call(api.replaceStaffTripCard, { id: card.id }))).toBe('step_up_required');
    const clerk = await signInClerk(office, 'desk');
    expect(codeOf(await clerk.call(api.replaceStaffTripCard, unknown))).toBe('not_found');
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.replaceStaffTripCard, { id: card.id }))).toBe('not_permitted');
    const found: StaffCustomer = must(await clerk.call(api.getStaffCustomer, { id: customer.id }));
    expect(balances(found)).toEqual([['active', 1250]]);
  });
});

describe('POST /api/staff/trip_cards/{id}/adjustments', () => {
  test('corrects a balance with a reason, up to what one person may add in a day', async () => {
    office.context.config.refundLimit = 20;
    const card = await createTripCard(office.context, customer.id, { balance: 1000 });
    office.clock.advance(2 * 86_400_000);
    const clerk = await signInClerk(office, 'office');
    const adjust = (amount: number) =>
      clerk.call(api.adjustStaffTripCard, { id: card.id }, { amount, reason: 'Charged twice' });
    expect(balances(must(await adjust(1500)))).toEqual([['active', 2500]]);
    expect(balances(must(await adjust(-200)))).toEqual([['active', 2300]]);
    expect(codeOf(await adjust(600))).toBe('refund_needs_approval');
    expect(codeOf(await adjust(-9999))).toBe('insufficient_balance');
    const found: StaffCustomer = must(await clerk.call(api.getStaffCustomer, { id: customer.id }));
    expect(balances(found)).toEqual([['active', 2300]]);
    const entries = await office.context.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'trip_card_adjusted'));
    expect(entries.map(({ reason }) => reason)).toEqual(['Charged twice', 'Charged twice']);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is for the office, with a step-up, an amount and a reason', async () => {
    const card = await createTripCard(office.context, customer.id, { balance: 1000 });
    const body = { amount: 100, reason: 'Charged twice' };
    const adjust = async (role: 'desk' | 'office', isFresh: boolean, more = body) => {
      const clerk = await signInClerk(office, role, { isFresh });
      return codeOf(await clerk.call(api.adjustStaffTripCard, { id: card.id }, more));
    };
    expect(await adjust('desk', true)).toBe('not_permitted');
    expect(await adjust('office', false)).toBe('step_up_required');
    expect(await adjust('office', true, { ...body, amount: 0 })).toBe('invalid_input');
    expect(await adjust('office', true, { ...body, reason: '' })).toBe('invalid_input');
  });
});

describe('DELETE /api/staff/orders/{reference}/ticket_shares/{share_id}', () => {
  test('ends the link of sent tickets, which the order then no longer has', async () => {
    const { id, reference } = await buyTickets(office, 2);
    const { tickets } = await office.readOrder(id);
    const body = { ticket_ids: [tickets[0].id], name: 'Alan' };
    must(await office.request('POST', fillPath(api.shareTickets.path, { id }), { body }));
    const clerk = await signInClerk(office, 'desk');
    const before: StaffOrder = must(await clerk.call(api.getStaffOrder, { reference }));
    expect(before.ticket_shares).toMatchObject([{ name: 'Alan', ticket_ids: body.ticket_ids }]);
    const params = { reference, share_id: before.ticket_shares[0]?.id ?? '' };
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.revokeStaffTicketShare, params))).toBe('not_permitted');
    const after: StaffOrder = must(await clerk.call(api.revokeStaffTicketShare, params));
    expect(after.ticket_shares).toEqual([]);
    expect(listActions(after)).toEqual(['ticket_share_revoked']);
    expect(codeOf(await clerk.call(api.revokeStaffTicketShare, params))).toBe('not_found');
  });
});
