import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, test } from 'vitest';
import type { Drawer, Drawers } from '#contract/desk/drawer/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { DrawerScreen } from '#web/staff/drawer/drawer-screen.tsx';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const user = userEvent.setup();
afterEach(cleanup);

const OPEN: Drawer = {
  ...{ id: 'drw_1', opened_at: new Date().toISOString(), closed_at: null, note: '' },
  ...{ opening: 10_000, taken: 2550, paid_out: 500, expected: 12_050, counted: null },
};
const CLOSED: Drawer = { ...OPEN, closed_at: new Date().toISOString(), counted: 12_000 };

/** Opens the page with these drawers; what is sent answers with the next ones. Returns what is sent. */
function openDrawers(first: Partial<Drawers>, next: Partial<Drawers> = {}, role: StaffRole = 'desk') {
  openPage(STAFF + staffPages.drawer);
  const sent: unknown[] = [];
  answerFetches(({ init }) => {
    const isRead = init.method === 'GET';
    if (!isRead) sent.push(JSON.parse(String(init.body)));
    return success({ open: null, closed: [], currency: 'USD', ...(isRead ? first : next) });
  });
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  const router = createTestRouter(
    [{ path: staffPages.drawer, Component: DrawerScreen }],
    [staffPages.drawer],
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  return sent;
}

test('a drawer is opened with the money in it, and only with an amount', async () => {
  const sent = openDrawers({}, { open: OPEN });
  await user.click(await screen.findByRole('button', { name: 'Open the drawer' }));
  expect(await screen.findAllByText('Enter an amount.')).not.toEqual([]);
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('Money in it'), '100');
  await user.click(screen.getByRole('button', { name: 'Open the drawer' }));
  expect(await screen.findByText('$120.50')).toBeDefined();
  expect(sent).toEqual([{ opening: 10_000 }]);
});

test('a drawer is closed with what is counted, and the difference is told', async () => {
  const sent = openDrawers({ open: OPEN }, { closed: [CLOSED] });
  await user.type(await screen.findByLabelText('Counted'), '120.00');
  await user.type(screen.getByLabelText('Note'), 'Wrong change');
  await user.click(screen.getByRole('button', { name: 'Close the drawer' }));
  await waitFor(() => expect(sent).toEqual([{ counted: 12_000, note: 'Wrong change' }]));
  expect(await screen.findByRole('table', { name: 'Your last shifts' })).toBeDefined();
  expect(screen.getByText('-$0.50')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Open the drawer' })).toBeDefined();
});

test('who does not sell has no drawer', async () => {
  openDrawers({}, {}, 'office');
  expect(await screen.findByText('Your role does not allow this. Please ask a manager.')).toBeDefined();
  expect(screen.queryByLabelText('Money in it')).toBeNull();
});
