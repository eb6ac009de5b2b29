import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Drawers } from '#contract/desk/drawer/schemas.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { computeReport } from '#server/reports/reports.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';

let office: Office;
let clerk: Clerk;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  clerk = await signInClerk(office, 'desk');
});

const read = async (by = clerk): Promise<Drawers> => must(await by.call(api.getDrawer, {}));
const open = (opening: unknown, by = clerk) => by.call(api.openDrawer, {}, { opening });
const close = (counted: unknown, note = '', by = clerk) => by.call(api.closeDrawer, {}, { counted, note });

/** Sells two adults their tickets, a minute after what happened before. */
async function sell(method: 'cash' | 'terminal', by = clerk): Promise<number> {
  office.clock.advance(60_000);
  const order = await office.takeOrder({ adults: 2 });
  await payOrderByStaff(office.context, {
    orderId: order.id,
    payment: method === 'cash' ? { method } : { method, reference: '4711' },
    cashier: buildCashier(by.id),
  });
  office.clock.advance(60_000);
  return order.total;
}

test('A drawer has what its person took in cash since it was opened, and nothing else', async () => {
  await sell('cash');
  must(await open(10_000));
  const other = await signInClerk(office, 'desk');
  const total = await sell('cash');
  await sell('terminal');
  await sell('cash', other);
  expect((await read()).open).toMatchObject({ opening: 10_000, taken: total, expected: 10_000 + total });
  const { open: still, closed } = must(await close(10_000 + total - 50, 'Wrong change')) as Drawers;
  expect(still).toBeNull();
  expect(closed).toMatchObject([
    { expected: 10_000 + total, counted: 10_000 + total - 50, note: 'Wrong change' },
  ]);
  await sell('cash');
  expect((await read()).closed).toEqual(closed);
  expect(await read(other)).toMatchObject({ open: null, closed: [] });
});

test('Each person has one open drawer, also if two are opened at once', async () => {
  const replies = await Promise.all([open(0), open(100)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect((await open(5)).body.errors[0].code).toBe('drawer_open');
  must(await open(5, await signInClerk(office, 'manager')));
});

test('A drawer is closed once', async () => {
  must(await open(500));
  const replies = await Promise.all([close(500), close(400)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect((await read()).closed).toHaveLength(1);
});

test('The report of drawers has the difference, and the audit log has both counts', async () => {
  must(await open(500));
  must(await close(450));
  const days = { from: '2026-01-01', until: '2026-12-31', zone: 'UTC', now: office.clock.now() };
  const { columns, rows } = await computeReport(office.context.db, 'drawers', days);
  const [row = []] = rows;
  const values = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
  expect(values).toMatchObject({ opening: 500, expected: 500, counted: 450, difference: -50 });
  const entries = await office.context.db.select().from(auditLog).where(eq(auditLog.actorId, clerk.id));
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['drawer_opened', { amount: 500 }],
    ['drawer_closed', { amount: 450 }],
  ]);
  const manager = await signInClerk(office, 'manager');
  const [latest] = must(await manager.call(api.listAuditEntries, {}));
  expect(latest).toMatchObject({ action: 'drawer_closed', object: { kind: 'staff', currency: 'USD' } });
});

test('Wrong amounts, other roles and requests without a session are refused', async () => {
  for (const wrong of [-1, 2.5, '100', null]) expect((await open(wrong)).status).toBe(422);
  const gate = await signInClerk(office, 'gate');
  expect((await gate.call(api.getDrawer, {})).status).toBe(403);
  expect((await open(1, gate)).status).toBe(403);
  expect((await close(1, '', gate)).status).toBe(403);
  expect((await office.request('GET', api.getDrawer.path)).status).toBe(401);
  expect((await office.request('POST', api.openDrawer.path, { body: { opening: 1 } })).status).toBe(401);
  expect((await close(1)).status).toBe(404);
});
