import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { orderNotes } from '#server/database/schema/desk.ts';
import { mails } from '#server/database/schema/system.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buyTickets, listActions, signInClerk } from '#tests/factories/staff-desk.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => office.reopen());

async function signIn(role: StaffRole, options: { isFresh?: boolean } = {}) {
  const { call } = await signInClerk(office, role, options);
  return {
    read: async (reference: string): Promise<StaffOrder> =>
      must(await call(api.getStaffOrder, { reference })),
    correct: (reference: string, body: object) =>
      call(api.correctStaffOrder, { reference }, { mail_tickets: false, ...body }),
    mail: (reference: string) => call(api.mailStaffTickets, { reference }),
    note: (reference: string, text: string) => call(api.addOrderNote, { reference }, { text }),
  };
}

const buy = () => buyTickets(office, 2);

const BOUGHT = 'order-confirmed to ada@example.com';

/** Kinds and addresses of the mails about orders, by kind. */
async function listMails(): Promise<string[]> {
  const rows = await office.context.db.select().from(mails);
  return rows.map(({ kind, toAddress }) => `${kind} to ${toAddress}`).toSorted();
}

describe('PATCH /api/staff/orders/{reference}', () => {
  test('corrects the address, tells the old one, and mails the tickets to the new one', async () => {
    const { reference } = await buy();
    const clerk = await signIn('desk');
    const corrected: StaffOrder = must(
      await clerk.correct(reference, {
        contact: { ...contact, email: 'ada@lovelace.example', phone: '+12065550199' },
        mail_tickets: true,
      }),
    );
    expect(corrected.order.contact).toMatchObject({ email: 'ada@lovelace.example', phone: '+12065550199' });
    expect(await listMails()).toEqual([
      'order-address-changed to ada@example.com',
      BOUGHT,
      'order-confirmed to ada@lovelace.example',
    ]);
    const [entry] = (await clerk.read(reference)).audit.filter(({ action }) => action === 'order_corrected');
    expect(entry?.changes).toEqual([
      { field: 'contact_email', before: null, after: 'changed' },
      { field: 'contact_phone', before: null, after: 'changed' },
      { field: 'mailed', before: null, after: true },
    ]);
    expect(JSON.stringify(entry)).not.toContain('lovelace');
  });

  test('corrects the names of travelers on their tickets, also after check-in has closed', async () => {
    const { reference } = await buy();
    office.clock.advance(3 * 86_400_000);
    const clerk = await signIn('desk');
    const corrected: StaffOrder = must(
      await clerk.correct(reference, { traveler_names: ['Ada Lovelace', 'Grace Hopper'] }),
    );
    expect(corrected.order.tickets.map(({ traveler_name: name }) => name)).toEqual([
      'Ada Lovelace',
      'Grace Hopper',
    ]);
    expect(await listMails()).toEqual([BOUGHT]);
  });

  test('asks for a step-up before another address, and not before another telephone number', async () => {
    const { reference } = await buy();
    const clerk = await signIn('desk', { isFresh: false });
    const moved = await clerk.correct(reference, { contact: { ...contact, email: 'eve@example.com' } });
    expect(codeOf(moved)).toBe('step_up_required');
    must(await clerk.correct(reference, { contact: { ...contact, phone: '+12065550199' } }));
    expect(await listMails()).toEqual([BOUGHT]);
  });

  test.each([
    ['an invalid address', { contact: { ...contact, email: 'ada' } }, 'invalid_input'],
    ['more names than travelers', { traveler_names: ['A', 'B', 'C'] }, 'invalid_input'],
    ['another field', { plate: 'ABC' }, 'unknown_field'],
  ])('refuses %s', async (_, body, code) => {
    const { reference } = await buy();
    const clerk = await signIn('office');
    expect(codeOf(await clerk.correct(reference, body))).toBe(code);
    expect(listActions(await clerk.read(reference))).toEqual([]);
  });

  test('is for the desk and the office, and for known orders that were paid in time', async () => {
    const order = await office.takeOrder();
    const clerk = await signIn('desk');
    const names = { traveler_names: ['Ada'] };
    expect(codeOf(await (await signIn('gate')).correct(order.reference, names))).toBe('not_permitted');
    expect(codeOf(await clerk.correct('2222-2222', names))).toBe('not_found');
    must(await office.cancelOrder(order));
    expect(codeOf(await clerk.correct(order.reference, names))).toBe('order_closed');
  });
});

describe('POST /api/staff/orders/{reference}/mails', () => {
  test('mails the tickets again and says so in the history', async () => {
    const { reference } = await buy();
    const clerk = await signIn('desk');
    must(await clerk.mail(reference));
    expect(await listMails()).toEqual([BOUGHT, BOUGHT]);
    expect(listActions(await clerk.read(reference))).toEqual(['order_tickets_mailed']);
  });

  test('is refused for an order without tickets, for an unknown one, and to staff of the gate', async () => {
    const { reference } = await office.takeOrder();
    const clerk = await signIn('desk');
    expect(codeOf(await clerk.mail(reference))).toBe('order_closed');
    expect(codeOf(await clerk.mail('2222-2222'))).toBe('not_found');
    expect(codeOf(await (await signIn('gate')).mail(reference))).toBe('not_permitted');
    expect(listActions(await clerk.read(reference))).toEqual([]);
  });
});

describe('POST /api/staff/orders/{reference}/notes', () => {
  test('keeps a note for staff that the buyer never sees, until the order is erased', async () => {
    const { id, reference } = await buy();
    const clerk = await signIn('desk');
    must(await clerk.note(reference, 'Calls back on Friday'));
    const found = await clerk.read(reference);
    expect(found.notes).toMatchObject([{ text: 'Calls back on Friday', staff_name: 'Grace Hopper' }]);
    expect(listActions(found)).toEqual(['order_noted']);
    const { order, audit } = found;
    for (const seen of [await office.readOrder(id), order, audit]) {
      expect(JSON.stringify(seen)).not.toContain('Friday');
    }
    await eraseOrders(office.context.db, [id]);
    expect(await office.context.db.$count(orderNotes)).toBe(0);
  });

  test('is refused without a text, for an unknown order, and to staff of the gate', async () => {
    const { reference } = await buy();
    const clerk = await signIn('desk');
    expect(codeOf(await clerk.note(reference, ' '))).toBe('invalid_input');
    expect(codeOf(await clerk.note('2222-2222', 'Hello'))).toBe('not_found');
    expect(codeOf(await (await signIn('gate')).note(reference, 'Hello'))).toBe('not_permitted');
  });
});
