import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { Work, WorkItem } from '#contract/desk/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { WorkListScreen } from '#web/staff/work-list/work-list-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

vi.mock('#web/staff/live/follow-events.ts', () => ({ followEvents: () => () => {} }));

afterEach(cleanup);
const user = userEvent.setup();

const item = (kind: WorkItem['kind'], reference: string): WorkItem => ({
  ...{ kind, reference, contact_name: 'Ada Lovelace', contact_email: 'ada@mail.example', phone: '' },
  ...{ since: '2026-06-01T12:00:00Z', due: null, amount: 500, currency: 'USD' },
  ...{ refund_id: null, measurement_id: null, invoice_number: null },
});
const ITEMS = [item('payment_disputed', 'PAYME'), item('mail_refused', 'MAILS')];
const boat = { sailing_id: 'sai_1', departs_local: '2026-06-02T08:00:00-07:00' };

/** Opens the screen. Returns the queries that it sends, and its router. */
async function openWork(search = '') {
  openPage(STAFF + staffPages.work + search);
  const sent: string[] = [];
  answerFetches(({ url }) => {
    const { pathname, searchParams } = new URL(url, STAFF);
    if (!pathname.endsWith('/desk/work')) return json({}, 404);
    sent.push(String(searchParams));
    const kind = searchParams.get('kind');
    const work: Work = {
      ...{ fares: [], payouts: [], has_more: false, as_of: '2026-06-01T15:00:00Z' },
      items: ITEMS.filter((each) => searchParams.get('boat') === null && (kind ?? each.kind) === each.kind),
      boats: [{ ...boat, origin: 'North Quay', destination: 'South Quay' }],
    };
    return success(work);
  });
  const router = createTestRouter(
    [{ path: staffPages.work, Component: WorkListScreen }],
    [staffPages.work + search],
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role: 'office' as const };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByLabelText('What');
  return { sent, router };
}

test('The list of what is to be done is narrowed to a kind by an address', async () => {
  const { sent, router } = await openWork();
  await user.selectOptions(screen.getByLabelText('What'), 'Disputed payments');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'MAILS' })).toBeNull());
  expect(screen.getByRole('link', { name: 'PAYME' })).toBeDefined();
  expect(router.state.location.search).toBe('?kind=payment_disputed');
  expect(sent).toEqual(['', 'kind=payment_disputed']);
});

test('A boat without anything to do offers to show everything', async () => {
  await openWork('?boat=sai_1');
  expect(screen.getByLabelText<HTMLSelectElement>('Boat').selectedOptions[0]?.text).toMatch(
    /8:00 AM: North Quay to South Quay$/,
  );
  await user.click(screen.getByRole('link', { name: 'Show everything to do' }));
  expect(await screen.findByRole('link', { name: 'MAILS' })).toBeDefined();
});
