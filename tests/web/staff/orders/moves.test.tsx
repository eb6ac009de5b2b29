import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { buildLeg, buildTicket } from '../../features/orders.ts';
import { json, success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);
const user = userEvent.setup();

const NAME = 'Another day or boat';
const other = buildLeg({ sailing_id: 'sai_other', departs_local: '2026-06-05T11:40:00-07:00' });
const listed = {
  ...{ day: '2026-06-05', first_day: '2026-06-01', last_day: '2027-06-01' },
  ...{ journeys: [[other]], has_choice: false, as_of: '2026-06-01T12:00:00Z' },
};
const quote = {
  version: 3,
  lines: [
    { leg: 'out', kind: 'passenger', description: 'Adult', quantity: 2, unit_amount: 925, amount: 1850 },
  ],
  ...{ price: 1850, fee: 1000, carried: 1850, forfeited: 0, waived: 0, difference: 1000, currency: 'USD' },
  ...{ destinations: [], needs_code: false, notes: [] },
};
const free = { ...quote, fee: 0, difference: 0 };

/** An order of two tickets for a boat that leaves in three days. */
function withTickets(): StaffOrder {
  const found = buildStaffOrder();
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const leg = buildLeg({ departs_at: soon, check_in_closes_at: soon });
  return { ...found, order: { ...found.order, legs: [leg], tickets: [buildTicket(1), buildTicket(2)] } };
}

const dialog = async () => within(await screen.findByRole('dialog', { name: NAME }));

/** Opens the order and chooses the other boat. */
async function chooseBoat(
  role: StaffRole,
  answer: (path: string) => Response,
  hasChoice = false,
  found = withTickets(),
) {
  const journeysOfDay = success({ ...listed, has_choice: hasChoice });
  const sent = await openOrder(
    role,
    ({ path }) => (path.endsWith('/journeys') ? journeysOfDay.clone() : answer(path)),
    found,
  );
  await user.click(screen.getByRole('button', { name: NAME }));
  await user.selectOptions(await (await dialog()).findByLabelText('Boat'), 'sai_other');
  await user.click((await dialog()).getByRole('button', { name: 'See the difference' }));
  return sent;
}

const journeys = [{ direction: 'out', sailing_ids: ['sai_other'] }];

describe('another day or boat for a buyer', () => {
  test.each([
    [25, 1],
    [5, 0],
  ])('of a boat planned 10 minutes ago that is %i minutes late: %i buttons', async (minutes, count) => {
    const found = withTickets();
    const departs_at = new Date(Date.now() - 10 * 60_000).toISOString();
    found.order.legs = [buildLeg({ departs_at, delay_minutes: minutes })];
    await openOrder('desk', () => success(null), found);
    expect(screen.queryAllByRole('button', { name: NAME })).toHaveLength(count);
  });

  test('shows the difference and the rules, and takes it at the card terminal', async () => {
    const sent = await chooseBoat('desk', (path) => success(path.endsWith('/quote') ? quote : withTickets()));
    expect(await (await dialog()).findByText('Change fee')).toBeDefined();
    expect((await dialog()).getByText('50% refund until Thu, Jun 4, 9:30 AM PDT.')).toBeDefined();
    expect((await dialog()).queryByRole('checkbox')).toBeNull();
    await user.click((await dialog()).getByRole('radio', { name: 'Card terminal' }));
    await user.click((await dialog()).getByRole('button', { name: '$10.00 taken: change the order' }));
    expect((await (await dialog()).findAllByText('Enter it to go on.')).length).toBeGreaterThan(0);
    await user.type((await dialog()).getByLabelText('Number on the receipt'), '0042');
    await user.click((await dialog()).getByRole('button', { name: '$10.00 taken: change the order' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.at(-1)).toEqual({
      method: 'POST',
      path: '/api/staff/orders/2NWB-2WMB/changes',
      body: {
        ...{ journeys, version: 3, difference: 1000 },
        payment: { method: 'terminal', reference: '0042' },
      },
    });
  });

  test('mails a link to pay the difference, and holds the places for as long as chosen', async () => {
    const link = { pay_until: '2026-06-02T12:00:00Z', is_mailed: true };
    const changed = {
      ...withTickets(),
      payment_link: { ...link, change: { difference: 1000, legs: [other] } },
    };
    const sent = await chooseBoat('desk', (path) => success(path.endsWith('/quote') ? quote : changed));
    await user.click(await (await dialog()).findByRole('radio', { name: 'Mail them a link to pay by card' }));
    expect((await dialog()).getByText('The order stays as it is until they pay.')).toBeDefined();
    await user.selectOptions((await dialog()).getByLabelText('Hold the places for'), '24 hours');
    await user.click((await dialog()).getByRole('button', { name: 'Mail the link to pay $10.00' }));
    expect(await screen.findByText('A change waits for payment')).toBeDefined();
    expect(sent.at(-1)).toEqual({
      method: 'POST',
      path: '/api/staff/orders/2NWB-2WMB/changes',
      body: { ...{ journeys, version: 3, difference: 1000 }, payment: { method: 'link', minutes: 1440 } },
    });
  });

  test('mails no link to a buyer without an address', async () => {
    const { order, ...rest } = withTickets();
    const caller = { ...rest, order: { ...order, contact: { ...order.contact, email: '' } } };
    await chooseBoat('desk', () => success(quote), false, caller);
    expect(await (await dialog()).findByRole('radio', { name: 'Cash' })).toBeDefined();
    expect((await dialog()).queryByRole('radio', { name: /link/ })).toBeNull();
  });

  test('lets the office move without a fee, with a reason', async () => {
    const sent = await chooseBoat('office', (path) =>
      success(path.endsWith('/free_changes/quote') ? free : path.endsWith('/quote') ? quote : withTickets()),
    );
    const box = await (await dialog()).findByRole('checkbox', { name: /Without a fee/ });
    await user.click(box);
    await user.click(await (await dialog()).findByRole('button', { name: 'Change the order' }));
    expect((await (await dialog()).findAllByText('Say why.')).length).toBeGreaterThan(0);
    await user.type((await dialog()).getByLabelText('Reason'), 'Road closed');
    await user.click((await dialog()).getByRole('button', { name: 'Change the order' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.at(-1)).toMatchObject({
      path: '/api/staff/orders/2NWB-2WMB/free_changes',
      body: { journeys, version: 3, difference: 0, payment: null, reason: 'Road closed' },
    });
  });

  test('says why the rules refuse it, and keeps the boat when one goes back', async () => {
    const refusal = {
      success: false,
      data: null,
      errors: [{ code: 'change_not_allowed', message: 'Your fare allows no changes.' }],
    };
    await chooseBoat('desk', () => json(refusal, 422));
    expect((await (await dialog()).findAllByText(/no changes/)).length).toBeGreaterThan(0);
    expect((await dialog()).queryByRole('button', { name: /hange the order/ })).toBeNull();
    await user.click((await dialog()).getByRole('button', { name: 'Back' }));
    const boat = await (await dialog()).findByLabelText<HTMLSelectElement>('Boat');
    expect(boat.value).toBe('sai_other');
    expect(boat.selectedOptions[0]?.textContent).toMatch(/^11:40\sAM · arrives .* · MV Tidewater$/);
  });

  test('costs nothing instead of a boat that does not run as bought', async () => {
    const sent = await chooseBoat('desk', () => success(withTickets()), true);
    expect(await (await dialog()).findByText(/free of charge/)).toBeDefined();
    await user.click((await dialog()).getByRole('button', { name: 'Change the order' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.at(-1)).toMatchObject({
      path: '/api/staff/orders/2NWB-2WMB/rebook',
      body: { direction: 'out', sailing_ids: ['sai_other'] },
    });
  });
});
