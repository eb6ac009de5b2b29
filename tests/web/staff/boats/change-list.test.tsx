import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, test } from 'vitest';
import type { BoatChangeOutcome } from '#contract/desk/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { ChangeList } from '#web/staff/boats/change-list.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);

const WITHOUT_ORDERS: BoatChangeOutcome = {
  ...{
    changes: [],
    sailings: 2,
    notified: 0,
    unpaid_notified: 0,
    unreachable: [],
    orders: [],
    currency: 'USD',
    under_way: [],
    double_bookings: [],
  },
  refunds: { without_offer: 0, all: 0 },
};

/** Presses "Undo" of a change. Returns the paths of the calls. */
async function pressUndo(outcome: BoatChangeOutcome): Promise<string[]> {
  openPage(STAFF + staffPages.boats);
  const calls: string[] = [];
  answerFetches(({ url }) => {
    calls.push(new URL(url, STAFF).pathname);
    return success(outcome);
  });
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role: 'office' as const };
  const change = { id: 'exc_1', source: 'staff' as const, at: '2026-06-01T10:00:00.000Z', title: 'Canceled' };
  const Component = () => (
    <ChangeList label="Changes" changes={[change]} now={Date.parse('2026-06-01T11:00:00.000Z')} />
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={createTestRouter([{ path: '/', Component }], ['/'])} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Undo: Canceled' }));
  return calls;
}

test('a change that affects no order is undone at once', async () => {
  const calls = await pressUndo(WITHOUT_ORDERS);
  await waitFor(() =>
    expect(calls).toEqual(['/api/staff/desk/changes/undo/preview', '/api/staff/desk/changes/undo']),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a change whose passengers are written to is undone after a second answer', async () => {
  const calls = await pressUndo({ ...WITHOUT_ORDERS, notified: 2 });
  const dialog = await screen.findByRole('dialog', { name: 'Undo: Canceled' });
  expect(within(dialog).getByText('Passengers of 2 orders are written to.')).toBeDefined();
  expect(calls).toEqual(['/api/staff/desk/changes/undo/preview']);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls.at(-1)).toBe('/api/staff/desk/changes/undo'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a change that some orders are not told of names whom to call', async () => {
  const reached = { ...WITHOUT_ORDERS, notified: 1, unpaid_notified: 2 };
  const unreachable = [
    { reference: '2NWB-2WMB', contact_name: 'Ada Lovelace', phone: '+12065550123' },
    { reference: '2NWB-2WMC', contact_name: '', phone: '' },
  ];
  await pressUndo({ ...reached, unreachable });
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo: Canceled' }));
  expect(dialog.getByText('Passengers of 1 order are written to.')).toBeDefined();
  expect(
    dialog.getByText('2 orders that wait for payment are canceled, and their buyers are written to.'),
  ).toBeDefined();
  expect(dialog.getByText('2 orders cannot be reached by a message. Call them.')).toBeDefined();
  const [first, second] = dialog.getAllByRole('listitem').slice(-2);
  expect(first?.textContent).toBe('2NWB-2WMB Ada Lovelace +12065550123');
  expect(within(second ?? document.body).getByRole('link').textContent).toBe('2NWB-2WMC');
});

test('a long list of whom to call shows the first ten, and the others when they are asked for', async () => {
  const unreachable = Array.from({ length: 13 }, (_, index) => ({
    ...{ reference: `2NWB-${1000 + index}`, contact_name: 'Ada Lovelace', phone: '+12065550123' },
  }));
  await pressUndo({ ...WITHOUT_ORDERS, unreachable });
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo: Canceled' }));
  const countCalls = () => dialog.getAllByText('+12065550123').length;
  expect(countCalls()).toBe(10);
  await userEvent.click(dialog.getByRole('button', { name: 'Show 3 more' }));
  expect(countCalls()).toBe(13);
  expect(document.activeElement?.textContent).toContain('2NWB-1010');
});
