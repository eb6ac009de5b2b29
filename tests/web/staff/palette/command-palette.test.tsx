import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { PaletteHost } from '#web/staff/palette/palette-host.tsx';
import { setSlashOpens } from '#web/staff/palette/shortcut.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const user = userEvent.setup();
afterEach(() => {
  cleanup();
  setSlashOpens(true);
});

function Page() {
  const { pathname, search } = useLocation();
  return (
    <>
      <output aria-label="Address">{pathname + search}</output>
      <input aria-label="Some field" />
      <PaletteHost />
    </>
  );
}

const port = { code: 'MAD', name: 'Port Madrona' };
const at = (hour: number) => `2026-06-02T${String(hour).padStart(2, '0')}:00:00.000Z`;
const buildBoat = (hour: number, destination: string, more: object = {}) => ({
  ...{
    id: `slg_${hour}`,
    sailings: [{ id: `slg_${hour}`, destination }],
    status: 'scheduled',
    delay_minutes: 0,
  },
  ...{ departs_at: at(hour), departs_local: at(hour).slice(0, 19), departed_at: null, ...more },
});
/** At seven: one has left, one is canceled, two are the next of their destination. */
const usualBoats = [
  buildBoat(6, 'Heron Island'),
  buildBoat(8, 'Heron Island', { status: 'canceled' }),
  buildBoat(9, 'Heron Island'),
  buildBoat(10, 'Friday Harbor'),
  buildBoat(11, 'Heron Island'),
];

function openStart(role: StaffRole = 'desk', boats = usualBoats) {
  openPage(STAFF);
  answerFetches(() =>
    success({ port, ports: [port], day: '2026-06-02', today: '2026-06-02', boats, as_of: at(7) }),
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={createTestRouter([{ path: '*', Component: Page }], ['/'])} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
}

const address = () => screen.getByLabelText('Address').textContent;
const openByKey = async () => {
  await user.keyboard('/');
  return screen.findByRole('combobox', { name: 'Order or page' });
};
const optionNames = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

describe('the palette', () => {
  test('opens with "/" and goes to an order by its reference', async () => {
    openStart();
    const field = await openByKey();
    expect(document.activeElement).toBe(field);
    await user.keyboard('d496 dkfq{Enter}');
    await waitFor(() => expect(address()).toBe('/orders/D496-DKFQ'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('lists the pages of the role, and goes to the one that the arrows choose', async () => {
    openStart('gate');
    await openByKey();
    expect(optionNames()).toEqual(['Start', 'Gate', 'Passenger lists', 'Account']);
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}');
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Account');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/account'));
  });

  test('begins a sale for the next boat, or for the next one to the typed destination', async () => {
    openStart();
    await openByKey();
    await user.keyboard('sell');
    await waitFor(() =>
      expect(optionNames()).toEqual([
        ...['Sell for 9:00 AM to Heron Island', 'Sell for 10:00 AM to Friday Harbor'],
        'Find “sell” among the orders',
      ]),
    );
    await user.keyboard(' fri{Enter}');
    await waitFor(() => expect(address()).toBe('/boats/slg_10?sell=1'));
  });

  test('offers the boats by the times at which they are expected', async () => {
    openStart('desk', [
      buildBoat(8, 'Heron Island', { delay_minutes: 150 }),
      buildBoat(9, 'Friday Harbor', { delay_minutes: 25 }),
      buildBoat(10, 'Heron Island'),
    ]);
    await openByKey();
    await user.keyboard('sell');
    await waitFor(() =>
      expect(optionNames()).toEqual([
        ...['Sell for 9:25 AM to Friday Harbor', 'Sell for 10:00 AM to Heron Island'],
        'Find “sell” among the orders',
      ]),
    );
  });

  test('offers pages that begin with what is typed before sales, and no sale to who may not sell', async () => {
    openStart();
    await openByKey();
    await user.keyboard('to');
    await waitFor(() => expect(optionNames()).toHaveLength(4));
    expect(optionNames()[0]).toBe('To do');
    await user.keyboard('{Escape}');
    cleanup();
    openStart('office');
    await openByKey();
    await user.keyboard('sell');
    expect(optionNames()).toEqual(['Find “sell” among the orders']);
  });

  test('searches the orders for everything else', async () => {
    openStart();
    await openByKey();
    await user.keyboard('Lovelace');
    expect(optionNames()).toEqual(['Find “Lovelace” among the orders']);
    await user.click(screen.getByRole('option'));
    await waitFor(() => expect(address()).toBe('/orders?q=Lovelace'));
  });

  test('offers no search to who may not see orders', async () => {
    openStart('gate');
    await openByKey();
    await user.keyboard('Lovelace');
    expect(await screen.findByText('Nothing matches.')).toBeDefined();
    expect(screen.queryByRole('option')).toBeNull();
  });

  test('does not open while a field has the focus, or if "/" is turned off; Ctrl+K opens it', async () => {
    openStart();
    await user.click(screen.getByLabelText('Some field'));
    await user.keyboard('/');
    expect(screen.getByLabelText<HTMLInputElement>('Some field').value).toBe('/');
    screen.getByLabelText('Some field').blur();
    setSlashOpens(false);
    await user.keyboard('/');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Control>}k{/Control}');
    expect(await screen.findByRole('combobox', { name: 'Order or page' })).toBeDefined();
  });
});
