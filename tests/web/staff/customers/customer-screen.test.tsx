import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffCustomer } from '#contract/desk/customers/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import type { AuditEntry } from '#contract/staff/audit/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { CustomerScreen } from '#web/staff/customers/customer-screen.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

const card = {
  ...{ id: 'tcd_1', name: 'Blue card', last_four: '2347', unit: 'money' as const, currency: 'USD' },
  ...{ balance: 1250, status: 'active' as const, expires_at: null },
};
const customer: StaffCustomer = {
  ...{ id: 'cus_1', name: 'Ada Lovelace', email: 'ada@example.com', phone: '' },
  ...{ inserted_at: '2026-06-01T12:00:00Z', sessions: 2, orders: [], has_more_orders: false },
  blocked: null,
  trip_cards: [card, { ...card, id: 'tcd_2', name: 'Old card', balance: 0, status: 'lost' }],
  mails: [{ id: 'mal_1', at: '2026-06-01T12:00:00Z', subject: 'Your ferry tickets', status: 'failed' }],
  audit: [],
};

const view: AuditEntry = {
  ...{ seq: 7, at: '2026-06-01T12:00:00Z', action: 'order_viewed', changes: [], reason: null },
  actor: { kind: 'staff', id: 'stf_2', name: 'Alan Turing', role: 'desk', device: 'Safari on iPad' },
  object: { kind: 'order', id: 'ord_1', label: 'HL-7Q4K-2', currency: 'USD' },
};

type Sent = { path: string; body: unknown };

async function openCustomer(
  role: StaffRole,
  answer: () => Response,
  shown: StaffCustomer = customer,
): Promise<Sent[]> {
  openPage(`${STAFF}/customers/cus_1`);
  const sent: Sent[] = [];
  answerFetches(({ url, init }) => {
    if (init.method === 'GET') return success(url.includes('/views') ? [view] : shown);
    const body: unknown = init.body ? JSON.parse(String(init.body)) : null;
    sent.push({ path: new URL(url, STAFF).pathname, body });
    return answer();
  });
  const path = staffPages.customer.replace('{id}', ':id');
  const router = createTestRouter([{ path, Component: CustomerScreen }], ['/customers/cus_1']);
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1, name: 'Ada Lovelace' });
  return sent;
}

const dialog = async () => within(await screen.findByRole('dialog'));

describe('the page of a customer', () => {
  test('shows balances, devices and mails, and offers the desk no change of a balance', async () => {
    await openCustomer('desk', () => success(customer));
    const cards = screen.getByRole('list', { name: 'Trip cards' });
    expect(cards.textContent).toContain('Blue card ending in 2347$12.50');
    expect(cards.textContent).toContain('Lost and replaced');
    expect(screen.getByText('on 2 devices')).toBeDefined();
    expect(screen.getByRole('list', { name: 'Last mails' }).textContent).toContain('Could not be sent');
    expect(screen.queryByRole('button', { name: /Correct the balance/ })).toBeNull();
    expect(screen.getAllByRole('button', { name: /^Lost/ })).toHaveLength(1);
  });

  test('says that the sign-in is blocked, and lets the customer try again', async () => {
    const blocked = { password: true, codes_until: null };
    const sent = await openCustomer('desk', () => success(customer), { ...customer, blocked });
    expect(screen.getByText('The password is refused until the customer resets it.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Let them try again' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Let them try again' })).toBeNull());
    expect(sent).toEqual([{ path: '/api/staff/customers/cus_1/unblock', body: null }]);
  });

  test('replaces a lost card after a question', async () => {
    const after = { ...customer, trip_cards: [{ ...card, id: 'tcd_3', name: 'New card' }] };
    const sent = await openCustomer('desk', () => success(after));
    await user.click(screen.getByRole('button', { name: 'Lost: Blue card ending in 2347' }));
    await user.click((await dialog()).getByRole('button', { name: 'Block and replace it' }));
    expect(await screen.findByText('New card ending in 2347')).toBeDefined();
    expect(sent).toMatchObject([{ path: '/api/staff/trip_cards/tcd_1/lost' }]);
  });

  test('takes an amount off a balance with a reason, and says why it is refused', async () => {
    const refusal = {
      ...{ success: false, data: null },
      errors: [{ code: 'insufficient_balance', message: 'Not enough on it.' }],
    };
    const sent = await openCustomer('office', () => json(refusal, 422));
    await user.click(screen.getByRole('button', { name: 'Correct the balance: Blue card ending in 2347' }));
    await user.click((await dialog()).getByRole('radio', { name: 'Take off' }));
    await user.type((await dialog()).getByLabelText('Amount in USD'), '99.50');
    await user.type((await dialog()).getByLabelText('Reason'), 'Charged too little');
    await user.click((await dialog()).getByRole('button', { name: 'Correct the balance' }));
    expect((await (await dialog()).findAllByText('Not enough on it.')).length).toBeGreaterThan(0);
    expect(sent).toEqual([
      {
        path: '/api/staff/trip_cards/tcd_1/adjustments',
        body: { amount: -9950, reason: 'Charged too little' },
      },
    ]);
  });

  test('asks for an amount and a reason before it sends', async () => {
    const sent = await openCustomer('manager', () => success(customer));
    await user.click(screen.getByRole('button', { name: 'Correct the balance: Blue card ending in 2347' }));
    await user.click((await dialog()).getByRole('button', { name: 'Correct the balance' }));
    expect((await (await dialog()).findAllByText('Say why.')).length).toBeGreaterThan(0);
    await waitFor(() => expect(sent).toEqual([]));
  });

  test('shows managers who looked at the customer’s data, and leads to a privacy request', async () => {
    await openCustomer('manager', () => success(customer));
    const table = await screen.findByRole('table', { name: 'Audit log' });
    expect(table.textContent).toContain('Looked at an orderOrder HL-7Q4K-2');
    expect(table.textContent).toContain('Alan Turing');
    const link = screen.getByRole('link', { name: 'Answer a privacy request' });
    expect(link.getAttribute('href')).toBe('/privacy?email=ada%40example.com');
  });

  test('shows no one else who looked', async () => {
    await openCustomer('office', () => success(customer));
    expect(screen.queryByRole('link', { name: 'Answer a privacy request' })).toBeNull();
  });
});
