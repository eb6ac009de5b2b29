import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { buildOrder } from '../../features/orders.ts';
import { success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);

const order = buildOrder({
  ...{ status: 'held', display_status: 'paying', confirmed_at: null, tickets: [], paid: 0 },
  contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '' },
});
const waiting = buildStaffOrder({ order, payment_link: { pay_until: '2026-06-05T17:00:00.000Z' } });
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
