import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import type { PrivacyOverview, StoredPerson } from '#contract/desk/privacy/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { PrivacyScreen } from '#web/staff/privacy/privacy-screen.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

const person: StoredPerson = { customer_id: 'cus_1', orders: 2, mails: 3, blockers: [] };
const overview: PrivacyOverview = {
  records: [
    {
      ...{ id: 'prv_1', at: '2026-06-01T12:00:00Z', kind: 'guest_erased', actor: 'operator' },
      ...{ by: 'Alan Turing', orders: 4 },
    },
  ],
  keep: {
    ...{ orders_days: 1095, mails_days: 30, security_events_days: 548, records_days: 1095 },
    passenger_lists_hours: 24,
  },
};

type Sent = { path: string; body: unknown };

async function openPrivacy(stored: StoredPerson, answer: () => Response, search = ''): Promise<Sent[]> {
  openPage(`${STAFF}${staffPages.privacy}${search}`);
  const sent: Sent[] = [];
  answerFetches(({ url, init }) => {
    const { pathname: path } = new URL(url, STAFF);
    if (path.endsWith('/privacy')) return success(overview);
    if (path.endsWith('/person')) return success(stored);
    sent.push({ path, body: JSON.parse(String(init.body)) });
    return answer();
  });
  const router = createTestRouter(
    [{ path: staffPages.privacy, Component: PrivacyScreen }],
    [`${staffPages.privacy}${search}`],
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role: 'manager' as const };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('list', { name: 'Last exports and erasures' });
  return sent;
}

const dialog = async () => within(await screen.findByRole('dialog'));

describe('privacy requests', () => {
  test('look up an address, and show what was answered before', async () => {
    await openPrivacy(person, () => json({}, 500));
    const list = screen.getByRole('list', { name: 'Last exports and erasures' });
    expect(list.textContent).toContain('Erased, without an account');
    expect(list.textContent).toContain('Alan Turing · 4 orders');
    expect(screen.getAllByText('1,095 days')).toHaveLength(2);
    await user.type(screen.getByLabelText('Email of the person'), 'ada');
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    expect(await screen.findByText(/Enter an email address/)).toBeDefined();
    await user.type(screen.getByLabelText('Email of the person'), '@example.com');
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    expect(await screen.findByRole('heading', { name: 'ada@example.com' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the account' }).getAttribute('href')).toBe(
      '/customers/cus_1',
    );
  });

  test('erase a person with a reason after a question', async () => {
    const done = () => success({ orders: 2, had_account: true });
    const sent = await openPrivacy(person, done, '?email=ada%40example.com');
    await user.click(await screen.findByRole('button', { name: 'Erase the person' }));
    const question = await dialog();
    expect(question.getByText(/^The account is deleted, .* leave 2 orders\./)).toBeDefined();
    await user.click(question.getByRole('button', { name: 'Erase for good' }));
    expect(await question.findByText('Say why.')).toBeDefined();
    await user.type(question.getByLabelText('Reason'), 'Letter of June 2');
    await user.click(question.getByRole('button', { name: 'Erase for good' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'ada@example.com' })).toBeNull());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toEqual([
      {
        path: '/api/staff/privacy/erasures',
        body: { email: 'ada@example.com', reason: 'Letter of June 2' },
      },
    ]);
  });

  test('say what keeps a person from being erased', async () => {
    const blockers = ['Order HL-1 has a sailing that is not over.'];
    await openPrivacy({ ...person, blockers }, () => json({}, 500), '?email=ada%40example.com');
    expect(await screen.findByText('The person cannot be erased yet')).toBeDefined();
    expect(screen.getByText('Order HL-1 has a sailing that is not over.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Erase the person' })).toBeNull();
  });

  test('say why an erasure is refused, and keep the reason that was typed', async () => {
    const errors = [{ code: 'privacy_refused', message: 'A trip card of the account holds value.' }];
    const refused = () => json({ success: false, data: null, errors, error: 'No.', status_code: 422 }, 422);
    await openPrivacy({ ...person, customer_id: null }, refused, '?email=ada%40example.com');
    await user.click(await screen.findByRole('button', { name: 'Erase the person' }));
    const question = await dialog();
    await user.type(question.getByLabelText('Reason'), 'Letter of June 2');
    await user.click(question.getByRole('button', { name: 'Erase for good' }));
    expect((await question.findByRole('alert')).textContent).toContain('A trip card of the account');
    expect(question.getByLabelText<HTMLInputElement>('Reason').value).toBe('Letter of June 2');
  });
});
