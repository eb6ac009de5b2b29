import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { PrivacyOverview, StoredPerson } from '#contract/desk/privacy/schemas.ts';
import type { AuditEntry } from '#contract/staff/audit/schemas.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { findCustomer } from '#server/identity/customers.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { buyTickets, type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';

const DAY = 86_400_000;
const reason = 'Letter of June 2';

let office: Office;
let order: Awaited<ReturnType<typeof buyTickets>>;
let manager: Clerk;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  order = await buyTickets(office, 1);
  manager = await signInClerk(office, 'manager');
});

/** A session ends before the boats have arrived, so another manager erases. */
async function waitUntilArrived(): Promise<void> {
  office.clock.advance(30 * DAY);
  manager = await signInClerk(office, 'manager');
}

const lookUp = async (email: string): Promise<StoredPerson> => {
  const { method, path } = api.findStoredPerson;
  return must(await manager.call({ method, path: `${path}?email=${encodeURIComponent(email)}` }, {}));
};
const readEntries = () => office.context.db.select().from(auditLog).orderBy(auditLog.seq);

describe('GET /api/staff/privacy/person', () => {
  test('counts what is stored, says what keeps it from being erased, and the log has who looked', async () => {
    expect(await lookUp('ADA@example.com')).toEqual({
      ...{ customer_id: null, orders: 1, mails: 1 },
      blockers: [
        `Order ${order.reference} has a sailing that is not over. Cancel it first, or wait until it has arrived.`,
      ],
    });
    const { id, email } = await createCustomer(office.context);
    expect(await lookUp(email)).toMatchObject({ customer_id: id, orders: 0, blockers: [] });
    const views = (await readEntries()).map(({ action, objectId }) => [action, objectId]);
    expect(views).toEqual([
      ['personal_data_viewed', api.findStoredPerson.path],
      ['personal_data_viewed', id],
    ]);
  });

  test('refuses what is no address, and staff who are not managers', async () => {
    const { method, path } = api.findStoredPerson;
    const bad = await manager.call({ method, path: `${path}?email=ada` }, {});
    expect(bad.body.errors).toMatchObject([{ code: 'invalid_input', field: 'email' }]);
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await clerk.call({ method, path: `${path}?email=a@b.example` }, {}))).toBe('not_permitted');
  });
});

describe('POST /api/staff/privacy/exports', () => {
  test('answers everything about a guest, and the log has the reason and no address', async () => {
    const data = must(await manager.call(api.exportStoredPerson, {}, { email: contact.email, reason }));
    expect(data).toMatchObject({ email: contact.email, orders: [{ reference: order.reference }] });
    const [entry] = await readEntries();
    expect(entry).toMatchObject({
      ...{ action: 'personal_data_exported', objectKind: 'privacy_request', actorId: manager.id, reason },
      after: { orders: 1 },
    });
    expect(JSON.stringify(entry)).not.toContain(contact.email);
    const { records, keep }: PrivacyOverview = must(await manager.call(api.getPrivacyOverview, {}));
    expect(records).toMatchObject([
      { kind: 'guest_exported', actor: 'operator', by: 'Grace Hopper', orders: 1, id: entry?.objectId },
    ]);
    expect(keep).toMatchObject({ orders_days: 1095, passenger_lists_hours: 24 });
  });

  test('answers an account without its secrets, and mails the owner', async () => {
    const { id, email } = await createCustomer(office.context);
    const data = must(await manager.call(api.exportStoredPerson, {}, { email, reason }));
    expect(data).toMatchObject({ customer: { id } });
    expect(JSON.stringify(data)).not.toMatch(/password_hash|secret|barcode/);
    expect(await readEntries()).toMatchObject([{ objectKind: 'customer', objectId: id, reason }]);
    expect(data.security_events).toMatchObject([{ kind: 'data_exported' }]);
  });

  test('is refused for an unknown address, without a reason and without a step-up', async () => {
    const call = (clerk: Clerk, body: object) => clerk.call(api.exportStoredPerson, {}, body);
    const unknown = await call(manager, { email: 'unknown@example.com', reason });
    expect([unknown.status, codeOf(unknown)]).toEqual([422, 'privacy_refused']);
    expect(unknown.body.errors[0].message).toBe('Nothing is stored about this address.');
    expect(codeOf(await call(manager, { email: contact.email, reason: ' ' }))).toBe('invalid_input');
    const tired = await signInClerk(office, 'manager', { isFresh: false });
    expect(codeOf(await call(tired, { email: contact.email, reason }))).toBe('step_up_required');
    expect(await readEntries()).toEqual([]);
  });
});

describe('POST /api/staff/privacy/erasures', () => {
  const erase = (email: string) => manager.call(api.eraseStoredPerson, {}, { email, reason });

  test('erases a guest once the boats have arrived, and names each order that waits before', async () => {
    const early = await erase(contact.email);
    expect(codeOf(early)).toBe('privacy_refused');
    expect(early.body.errors[0]).toMatchObject({
      ...{ reason: 'erased_order_upcoming', params: { reference: order.reference } },
    });
    await waitUntilArrived();
    expect(must(await erase(contact.email))).toEqual({ orders: 1, had_account: false });
    expect((await office.readOrder(order.id)).contact.name).toBe('');
    const entries = await readEntries();
    expect(entries).toMatchObject([{ action: 'personal_data_erased', reason, after: { orders: 1 } }]);
    expect(JSON.stringify(entries)).not.toContain(contact.email);
    expect(codeOf(await erase(contact.email))).toBe('privacy_refused');
  });

  test('erases an account with its orders, and the log keeps its id only', async () => {
    const { id, email } = await createCustomer(office.context);
    await office.context.db.update(orders).set({ customerId: id }).where(eq(orders.id, order.id));
    await waitUntilArrived();
    expect(must(await erase(email))).toEqual({ orders: 1, had_account: true });
    expect(await findCustomer(office.context.db, id)).toBeNull();
    expect(await readEntries()).toMatchObject([{ action: 'personal_data_erased', objectId: id, reason }]);
  });
});

describe('GET /api/staff/customers/{id}/views', () => {
  test('lists who looked at the account, its orders, and the lists of their boats', async () => {
    const { id } = await createCustomer(office.context);
    await office.context.db.update(orders).set({ customerId: id }).where(eq(orders.id, order.id));
    const clerk = await signInClerk(office, 'desk');
    must(await clerk.call(api.getStaffOrder, { reference: order.reference }));
    must(await clerk.call(api.getStaffCustomer, { id }));
    must(await clerk.call(api.getDeskBoat, { id: office.ferry.outward[0] ?? '' }));
    must(await clerk.call(api.getDeskBoat, { id: office.ferry.outward[1] ?? '' }));
    const views: AuditEntry[] = must(await manager.call(api.listCustomerViews, { id }));
    expect(views.map(({ action }) => action)).toEqual([
      ...['boat_orders_viewed', 'customer_viewed', 'order_viewed'],
    ]);
    expect(codeOf(await clerk.call(api.listCustomerViews, { id }))).toBe('not_permitted');
    const unknown = { id: 'cus_00000000000000000000000000' };
    expect(codeOf(await manager.call(api.listCustomerViews, unknown))).toBe('not_found');
  });
});
