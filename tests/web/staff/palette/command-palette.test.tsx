import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { PaletteHost } from '#web/staff/palette/palette-host.tsx';
import { setSlashOpens } from '#web/staff/palette/shortcut.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { openPage, STAFF } from '../../platform/page.ts';
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

function openStart(role: StaffRole = 'desk') {
  openPage(STAFF);
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
  render(
    <SignedInStaff value={staff}>
      <RouterProvider router={createTestRouter([{ path: '*', Component: Page }], ['/'])} />
    </SignedInStaff>,
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
