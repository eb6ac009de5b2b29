import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { buildLeg, buildOrder } from '../../features/orders.ts';
import { success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);

const order = buildOrder({
  ...{ status: 'held', display_status: 'paying', confirmed_at: null, tickets: [], paid: 0 },
  contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '' },
});
const LINK = { pay_until: '2026-06-05T17:00:00.000Z', is_mailed: true, change: null };
const waiting = buildStaffOrder({ order, payment_link: LINK });
const canceled = buildStaffOrder({ order: { ...order, status: 'canceled', display_status: 'expired' } });

test('an order that waits for payment says for how long, and its link is mailed again', async () => {
  const user = userEvent.setup();
  const sent = await openOrder('desk', () => success(waiting), waiting);
  screen.getByText(/^ada@example.com has a link to pay by card\. The places are held until /);
  await user.click(screen.getByRole('button', { name: 'Mail the link again' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  const path = `/api/staff/orders/${order.reference}/payment_link/mails`;
  expect(sent).toEqual([{ method: 'POST', path, body: null }]);
});

test('is paid in cash by those who may sell, and then waits no more', async () => {
  const user = userEvent.setup();
  const paid = buildStaffOrder({ order: { ...order, status: 'confirmed', display_status: 'upcoming' } });
  const sent = await openOrder('desk', () => success(paid), waiting);
  await user.click(screen.getByRole('button', { name: 'Take the payment' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Take the payment' }));
  await user.click(dialog.getByRole('radio', { name: 'Card terminal' }));
  await user.click(dialog.getByRole('button', { name: / taken: sell$/ }));
  expect(dialog.getAllByText('Enter it to go on.').length).toBeGreaterThan(0);
  await user.click(dialog.getByRole('radio', { name: 'Cash' }));
  await user.click(dialog.getByRole('button', { name: / taken: sell$/ }));
  await waitFor(() => expect(screen.queryByText('Waits for payment')).toBeNull());
  expect(sent).toEqual([
    {
      method: 'POST',
      path: `/api/staff/orders/${order.reference}/payments`,
      body: { payment: { method: 'cash' } },
    },
  ]);
});

test('takes no payment from those who may not sell', async () => {
  await openOrder('office', () => success(waiting), waiting);
  expect(screen.queryByRole('button', { name: 'Take the payment' })).toBeNull();
  screen.getByRole('button', { name: 'Cancel the order' });
});

test('without an address is paid at the pier, and gets no link', async () => {
  const caller = { ...order, contact: { name: 'Ada Lovelace', email: '', phone: '+12065550123' } };
  const held = buildStaffOrder({ order: caller, payment_link: { ...LINK, is_mailed: false } });
  await openOrder('desk', () => success(held), held);
  screen.getByText(/^The buyer pays at the pier\. The places are held until /);
  expect(screen.queryByRole('button', { name: /link/ })).toBeNull();
});

test('a change that waits for payment shows its boat, and is taken back without the order', async () => {
  const user = userEvent.setup();
  const booked = buildOrder({ contact: order.contact });
  const change = { difference: 500, legs: [buildLeg({ departs_local: '2026-06-05T11:40:00-07:00' })] };
  const changing = buildStaffOrder({ order: booked, payment_link: { ...LINK, change } });
  const sent = await openOrder('desk', () => success(buildStaffOrder({ order: booked })), changing);
  screen.getByText('They pay $5.00. The order stays as it is until then.');
  expect(screen.queryByRole('button', { name: 'Take the payment' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take the change back' }));
  const question = within(screen.getByRole('dialog', { name: 'Take the change back?' }));
  await user.click(question.getByRole('button', { name: 'Take the change back' }));
  await waitFor(() => expect(screen.queryByText('A change waits for payment')).toBeNull());
  expect(sent).toMatchObject([
    { method: 'DELETE', path: `/api/staff/orders/${booked.reference}/payment_link` },
  ]);
});

test('is canceled after a question, and then waits no more', async () => {
  const user = userEvent.setup();
  const sent = await openOrder('desk', () => success(canceled), waiting);
  await user.click(screen.getByRole('button', { name: 'Cancel the order' }));
  await user.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Cancel the order' }));
  const question = within(screen.getByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Cancel the order' }));
  await waitFor(() => expect(screen.queryByText('Waits for payment')).toBeNull());
  expect(sent).toMatchObject([
    { method: 'DELETE', path: `/api/staff/orders/${order.reference}/payment_link` },
  ]);
});
