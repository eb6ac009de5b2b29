import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { buildTicket } from '../../features/orders.ts';
import { json, success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);
const user = userEvent.setup();

const withTickets = (): StaffOrder => {
  const found = buildStaffOrder();
  return { ...found, order: { ...found.order, tickets: [buildTicket(1), buildTicket(2)] } };
};
const history = () => within(screen.getByRole('list', { name: 'History' }));

describe('the page of an order', () => {
  test('mails the tickets again, and shows it in the history', async () => {
    const found = withTickets();
    const done = {
      ...found,
      messages: [
        {
          channel: 'mail',
          to: 'ada@example.com',
          title: 'Tickets',
          status: 'waiting',
          at: found.order.as_of,
        },
      ],
    };
    const sent = await openOrder('desk', () => success(done), found);
    await user.click(screen.getByRole('button', { name: 'Mail the tickets again' }));
    expect(await history().findByText(/Email to ada@example.com/)).toBeDefined();
    expect(sent).toMatchObject([{ method: 'POST', path: '/api/staff/orders/2NWB-2WMB/mails' }]);
  });

  test('corrects the address and mails the tickets there', async () => {
    const found = withTickets();
    const sent = await openOrder('desk', () => success(found), found);
    await user.click(screen.getByRole('button', { name: 'Correct the contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    const email = dialog.getByLabelText('Email');
    await user.clear(email);
    await user.type(email, 'ada@lovelace.example');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: '/api/staff/orders/2NWB-2WMB',
        body: {
          contact: { name: 'Ada Lovelace', email: 'ada@lovelace.example', phone: '' },
          mail_tickets: true,
        },
      },
    ]);
  });

  test('corrects the phone alone of an order that staff sold without an address', async () => {
    const found = { ...withTickets(), needs_email: false };
    const contact = { name: 'Ada Lovelace', email: '', phone: '' };
    const sold = { ...found, order: { ...found.order, contact } };
    const sent = await openOrder('desk', () => success(sold), sold);
    await user.click(screen.getByRole('button', { name: 'Correct the contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByLabelText('Mail the tickets again')).toBeNull();
    await user.type(dialog.getByLabelText(/^Phone/), '+1 206 555 0123');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ body }) => body)).toEqual([
      { contact: { ...contact, phone: '+1 206 555 0123' }, mail_tickets: false },
    ]);
  });

  test('says what is wrong with an address and sends nothing', async () => {
    const sent = await openOrder('desk', () => success(null), withTickets());
    await user.click(screen.getByRole('button', { name: 'Correct the contact' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByLabelText('Email'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect((await dialog.findAllByText(/Enter an email address/)).length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
  });

  test('corrects a name and keeps the others', async () => {
    const found = withTickets();
    found.order.traveler_names = ['Ada Lovelace', 'Grace Hoper'];
    const sent = await openOrder('office', () => success(found), found);
    await user.click(screen.getByRole('button', { name: 'Correct names' }));
    const dialog = within(await screen.findByRole('dialog'));
    const wrong = dialog.getByDisplayValue('Grace Hoper');
    await user.clear(wrong);
    await user.type(wrong, 'Grace Hopper');
    await user.click(dialog.getByRole('button', { name: 'Save names' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ traveler_names: ['Ada Lovelace', 'Grace Hopper'], mail_tickets: true });
  });

  test('shows the buyer’s name on tickets without one, which stay without one', async () => {
    const found = withTickets();
    found.order.traveler_names = [];
    const sent = await openOrder('office', () => success(found), found);
    await user.click(screen.getByRole('button', { name: 'Correct names' }));
    const dialog = within(await screen.findByRole('dialog'));
    const [first] = dialog.getAllByDisplayValue('Ada Lovelace');
    expect(dialog.getAllByText('The ticket has no name, so it shows the buyer’s.')).toHaveLength(2);
    if (!first) throw new Error('The dialog has no field.');
    await user.clear(first);
    await user.type(first, 'Grace Hopper');
    await user.click(dialog.getByRole('button', { name: 'Save names' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ traveler_names: ['Grace Hopper', ''] });
  });

  test('takes the names of a group as a list, one per line', async () => {
    const found = withTickets();
    const [ticket] = found.order.tickets;
    if (!ticket) throw new Error('The order has no ticket.');
    found.order.tickets = Array.from({ length: 12 }, (_, index) => ({
      ...{ ...ticket, id: `tkt_${index}`, party_index: index + 1 },
    }));
    const sent = await openOrder('office', () => success(found), found);
    await user.click(screen.getByRole('button', { name: 'Correct names' }));
    const dialog = within(await screen.findByRole('dialog'));
    const list = dialog.getByLabelText('One name per line');
    expect(dialog.getByText(/12 × Adult/)).toBeDefined();
    const names = Array.from({ length: 13 }, (_, index) => `Pupil ${index + 1}`);
    await user.click(list);
    await user.paste(names.join('\n'));
    await user.click(dialog.getByRole('button', { name: 'Save names' }));
    expect((await dialog.findAllByText('There are 13 lines for 12 tickets.')).length).toBeGreaterThan(0);
    await user.clear(list);
    await user.paste(` ${names.slice(0, 2).join('\n\n')}\n\n`);
    await user.click(dialog.getByRole('button', { name: 'Save names' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    const typed = ['Pupil 1', '', 'Pupil 2', ...Array(9).fill('')];
    expect(sent[0]?.body).toMatchObject({ traveler_names: typed });
  });

  test('takes back sent tickets, and leads to the customer', async () => {
    const found = buildStaffOrder({ customer_id: 'cus_1' });
    const share = { id: 'tsh_1', ticket_ids: ['tkt_1'], name: 'Alan', email: null };
    found.ticket_shares = [{ ...share, inserted_at: found.order.as_of }];
    const sent = await openOrder('desk', () => success({ ...found, ticket_shares: [] }), found);
    const link = screen.getByRole('link', { name: 'The customer with all orders and trip cards' });
    expect(link.getAttribute('href')).toBe('/customers/cus_1');
    await user.click(screen.getByRole('button', { name: 'Take back what was sent to Alan' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Sent tickets' })).toBeNull());
    expect(sent).toMatchObject([
      { method: 'DELETE', path: '/api/staff/orders/2NWB-2WMB/ticket_shares/tsh_1' },
    ]);
  });

  test('saves a note and shows who wrote it', async () => {
    const found = buildStaffOrder();
    const note = { id: 'ntc_1', at: found.order.as_of, text: 'Calls back', staff_name: 'Grace Hopper' };
    const sent = await openOrder('desk', () => success({ ...found, notes: [note] }), found);
    await user.type(screen.getByLabelText('New note'), 'Calls back{Enter}');
    const notes = await screen.findByRole('list', { name: 'Notes' });
    expect(notes.textContent).toContain('Calls backGrace Hopper');
    expect(sent).toMatchObject([{ body: { text: 'Calls back' } }]);
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('New note').value).toBe(''));
  });

  test('keeps what was typed when the server refuses it', async () => {
    const refusal = { success: false, data: null, errors: [{ code: 'not_found', message: 'Gone.' }] };
    await openOrder('desk', () => json(refusal, 404));
    await user.type(screen.getByLabelText('New note'), 'Calls back{Enter}');
    expect(await screen.findByText('Gone.')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('New note').value).toBe('Calls back');
  });
});
