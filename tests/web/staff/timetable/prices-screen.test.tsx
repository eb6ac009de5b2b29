import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, describe, expect, test } from 'vitest';
import { staffPages } from '#contract/paths.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { SignedInStaff } from '#web/staff/session/staff-session.ts';
import { PricesScreen } from '#web/staff/timetable/prices/prices-screen.tsx';
import { answerFetches, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

afterEach(cleanup);
const user = userEvent.setup();

const FILES = {
  'fares.csv': [
    'route_id,fare_class,kind,passenger_type,amount',
    'north,saver,passenger,adult,10.00',
    'north,saver,passenger,child,5.00',
    'south,saver,passenger,adult,9.00',
    'south,saver,passenger,child,',
  ].join('\n'),
  'promo_codes.csv': 'code,kind,value,route_ids\nHARBOR10,percent,10,\n',
};

async function openPrices(search = '') {
  openPage(STAFF + staffPages.prices + search);
  answerFetches(({ url }) => {
    const { pathname } = new URL(url, STAFF);
    const file = Object.entries(FILES).find(([name]) => pathname.endsWith(name));
    return file ? new Response(file[1]) : success({ currency: 'USD', promo_codes: [] });
  });
  const router = createTestRouter(
    [{ path: staffPages.prices, Component: PricesScreen }],
    [staffPages.prices + search],
  );
  const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role: 'office' as const };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignedInStaff value={staff}>
        <RouterProvider router={router} />
      </SignedInStaff>
    </QueryClientProvider>,
  );
  await screen.findByRole('table');
  return router;
}

const amounts = () => screen.getAllByLabelText<HTMLInputElement>(/^Amount: /);
const values = () => amounts().map(({ value }) => value);

describe('the table of prices', () => {
  test('sorts amounts as numbers, and moves no row while an amount is typed', async () => {
    const router = await openPrices();
    await user.click(screen.getByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(values()).toEqual(['5.00', '9.00', '10.00', '']));
    expect(router.state.location.search).toBe('?sort=amount');
    const [cheapest] = amounts();
    if (cheapest) await user.type(cheapest, '0');
    expect(values()).toEqual(['5.000', '9.00', '10.00', '']);
    await user.click(screen.getByRole('button', { name: 'Amount' }));
    await waitFor(() => expect(values()).toEqual(['10.00', '9.00', '5.000', '']));
  });

  test('is filtered as the address says, and has the choices that the other filter leaves', async () => {
    const router = await openPrices('?line=south');
    expect(values()).toEqual(['9.00', '']);
    await user.selectOptions(screen.getByLabelText('Type'), 'child');
    await waitFor(() => expect(values()).toEqual(['']));
    expect(router.state.location.search).toBe('?line=south&type=child');
    await user.click(screen.getByRole('tab', { name: 'Promo codes' }));
    expect(await screen.findByRole('rowheader', { name: /HARBOR10/ })).toBeDefined();
    expect(router.state.location.search).toBe('?file=promo_codes.csv');
  });

  test('chooses all rows between two with Shift, and counts those that are left', async () => {
    await openPrices();
    const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox');
    const [first, , third] = boxes();
    if (!first || !third) throw new Error('There are too few rows.');
    fireEvent.click(first);
    fireEvent.click(third, { shiftKey: true });
    expect(boxes().map(({ checked }) => checked)).toEqual([true, true, true, false]);
    await user.click(screen.getByRole('button', { name: /^Remove north, saver, child/ }));
    await user.click(screen.getByRole('button', { name: 'New price from a day on' }));
    expect(await screen.findByRole('heading', { name: 'New prices of 2 rows' })).toBeDefined();
  });
});
