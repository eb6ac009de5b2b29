import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { HeldOrder } from '#contract/gate/sales/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { orderNotes } from '#server/database/schema/desk.ts';
import { mails } from '#server/database/schema/system.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import {
  addToQueue,
  buyTickets,
  holdForPier,
  listActions,
  signInClerk,
} from '#tests/factories/staff-desk.ts';

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

describe('the contact of an order that staff sold', () => {
  /** Places held for a caller who pays at the pier, and gave a phone number. */
  async function hold(more: object = {}) {
    const clerk = await signInClerk(office, 'desk');
    const entry = await addToQueue(clerk, office.ferry.outward[0] ?? '');
    const { reference }: HeldOrder = must(await holdForPier(clerk, entry, more));
    return { reference, clerk };
  }

  test('is corrected without an address: the phone alone, before and after it is paid', async () => {
    const { reference, clerk } = await hold();
    const { correct, read } = await signIn('desk', { isFresh: false });
    const phone = '+12065550199';
    must(await correct(reference, { contact: { name: 'Ada', email: '', phone } }));
    expect(await read(reference)).toMatchObject({
      ...{ needs_email: false, order: { contact: { name: 'Ada', email: '', phone } } },
    });
    must(await clerk.call(api.takeOrderPayment, { reference }, { payment: { method: 'cash' } }));
    const without: StaffOrder = must(
      await correct(reference, { contact: { name: 'Ada', email: '', phone: '' } }),
    );
    expect(without.order.contact).toEqual({ name: 'Ada', email: '', phone: '' });
    expect(listActions(without).filter((action) => action === 'order_corrected')).toHaveLength(2);
    expect(await listMails()).toEqual([]);
    expect(codeOf(await correct(reference, { mail_tickets: true }))).toBe('order_closed');
  });

  test('loses a wrong address after a step-up, which is told that no more mails come', async () => {
    const { reference, clerk } = await hold({ email: 'eve@example.com' });
    must(await clerk.call(api.takeOrderPayment, { reference }, { payment: { method: 'cash' } }));
    const { name, phone } = contact;
    const body = { contact: { name, email: '', phone } };
    expect(codeOf(await (await signIn('desk', { isFresh: false })).correct(reference, body))).toBe(
      'step_up_required',
    );
    const corrected: StaffOrder = must(await (await signIn('desk')).correct(reference, body));
    expect(corrected.order.contact.email).toBe('');
    const [told] = await office.context.db
      .select()
      .from(mails)
      .where(eq(mails.kind, 'order-address-changed'));
    if (!told) throw new Error('There is no mail.');
    const { content } = await prepareMail(office.context, told, await loadWebSettings(office.context));
    expect(told.toAddress).toBe('eve@example.com');
    expect(content.text).toContain('There will be no more emails about this order.');
  });

  test('shows its reader no address, and mails no code', async () => {
    const { reference, clerk } = await hold();
    must(await clerk.call(api.takeOrderPayment, { reference }, { payment: { method: 'cash' } }));
    const { order } = await (await signIn('desk')).read(reference);
    expect((await office.readOrder(order.id)).contact).toEqual({
      ...{ name: 'Ada Lovelace', email: '', phone: '•••23' },
    });
    const code = await office.request('POST', fillPath(api.mailCancellationCode.path, { id: order.id }));
    expect(code.body.errors).toMatchObject([{ code: 'change_not_allowed', reason: 'no_email_address' }]);
    expect(await listMails()).toEqual([]);
  });

  test('is never empty while places are held, nor without the name that it had', async () => {
    const { reference, clerk } = await hold({ email: 'eve@example.com' });
    const { correct } = await signIn('desk');
    for (const changed of [
      { name: 'Ada', email: '', phone: '' },
      { name: '', email: '', phone: contact.phone },
    ]) {
      expect(codeOf(await correct(reference, { contact: changed }))).toBe('invalid_input');
    }
    must(await correct(reference, { contact: { ...contact, email: '' } }));
    const mailed = await clerk.call(api.mailPaymentLink, { reference });
    expect(mailed.body.errors).toMatchObject([{ code: 'order_closed', reason: 'no_address_for_link' }]);
  });

  test('keeps its address if the buyer gave it online', async () => {
    const { reference } = await buy();
    const { correct, read } = await signIn('desk');
    expect(codeOf(await correct(reference, { contact: { ...contact, email: '' } }))).toBe('invalid_input');
    expect((await read(reference)).needs_email).toBe(true);
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
