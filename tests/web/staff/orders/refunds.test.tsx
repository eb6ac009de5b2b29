import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { buildLeg, buildTicket } from '../../features/orders.ts';
import { json, success } from '../../platform/page.ts';
import { buildStaffOrder, openOrder } from './open-order.tsx';

afterEach(cleanup);
const user = userEvent.setup();

const card = { destination: 'card', network: 'visa', last_four: '4242', amount: 1850 };
const preview = {
  ...{
    version: 3,
    amount: 1850,
    currency: 'USD',
    destinations: [card],
    needs_approval: false,
    limit: 20_000,
  },
  tickets: [{ ticket_id: 'tkt_1', title: 'Adult 1', traveler_name: 'Ada' }],
};
const asked: StaffOrder['refund_request'] = {
  ...{ id: 'rrq_1', at: '2026-06-01T12:00:00Z', scope: { kind: 'all' }, trip_card_last_four: null },
  ...{ amount: 50_000, reason: 'The captain agreed.', asked_by: 'Alan Turing', is_own: false },
};

/** An order of two tickets for a boat that leaves in three days. */
function withTickets(over: Partial<StaffOrder> = {}): StaffOrder {
  const found = buildStaffOrder(over);
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const leg = buildLeg({ departs_at: soon, check_in_closes_at: soon });
  return { ...found, order: { ...found.order, legs: [leg], tickets: [buildTicket(1), buildTicket(2)] } };
}

const dialog = async () => within(await screen.findByRole('dialog'));
const press = async (name: string) => user.click(await (await dialog()).findByRole('button', { name }));

describe('a refund beyond the fare’s rules', () => {
  test('is shown before it is made, and needs a reason', async () => {
    const found = withTickets();
    const sent = await openOrder(
      'office',
      ({ path }) => success(path.endsWith('/preview') ? preview : found),
      found,
    );
    await user.click(screen.getByRole('button', { name: 'Refund beyond the rules' }));
    await press('See the refund');
    expect((await (await dialog()).findAllByText('Say why.')).length).toBeGreaterThan(0);
    expect(sent).toEqual([]);
    await user.type((await dialog()).getByLabelText('Reason'), 'The captain agreed.');
    await press('See the refund');
    expect(await (await dialog()).findByText('$18.50 to Visa ending in 4242')).toBeDefined();
    expect((await dialog()).getByText('Adult 1 · Ada')).toBeDefined();
    await press('Refund $18.50');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const what = { scope: { kind: 'all' }, trip_card: null };
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['/api/staff/orders/2NWB-2WMB/refunds/preview', what],
      ['/api/staff/orders/2NWB-2WMB/refunds', { ...what, reason: 'The captain agreed.', version: 3 }],
    ]);
  });

  test.each([
    ['succeeded', 0],
    ['failed', 1],
  ] as const)('of a canceled order whose whole refund %s: %i buttons', async (status, count) => {
    const found = buildStaffOrder();
    const refund = {
      ...{ id: 'rfd_1', amount: found.order.paid, destination: 'card', network: 'visa', last_four: '4242' },
      ...{ reason: 'operator', status, inserted_at: '2026-06-02T12:00:00Z' },
    };
    Object.assign(found.order, { status: 'canceled', tickets: [], refunds: [refund] });
    await openOrder('office', () => success(null), found);
    expect(screen.queryAllByRole('button', { name: 'Refund beyond the rules' })).toHaveLength(count);
  });

  test('asks for another person above what one may refund', async () => {
    const found = withTickets();
    const sent = await openOrder(
      'manager',
      ({ path }) =>
        success(
          path.endsWith('/preview')
            ? { ...preview, amount: 50_000, needs_approval: true }
            : { ...found, refund_request: { ...asked, is_own: true } },
        ),
      found,
    );
    await user.click(screen.getByRole('button', { name: 'Refund beyond the rules' }));
    await user.type((await dialog()).getByLabelText('Reason'), 'The captain agreed.');
    await press('See the refund');
    await press('Ask for this refund');
    expect(await screen.findByText('A manager, not you, has to confirm it.')).toBeDefined();
    expect(sent.at(-1)?.path).toBe('/api/staff/orders/2NWB-2WMB/refund_requests');
    expect(screen.queryByRole('button', { name: 'Refund $500.00' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Take it back' })).toBeDefined();
  });

  test('says why the server refuses it, and keeps what was typed', async () => {
    const refusal = { success: false, data: null, errors: [{ code: 'refund_refused', message: 'Used.' }] };
    await openOrder('office', () => json(refusal, 422), withTickets());
    await user.click(screen.getByRole('button', { name: 'Refund beyond the rules' }));
    await user.type((await dialog()).getByLabelText('Reason'), 'Seasick');
    await press('See the refund');
    expect((await (await dialog()).findAllByText('Used.')).length).toBeGreaterThan(0);
    expect((await dialog()).getByLabelText<HTMLInputElement>('Reason').value).toBe('Seasick');
  });

  test('refunds an amount to a trip card', async () => {
    const sent = await openOrder('office', () => success({ ...preview, tickets: [] }), withTickets());
    await user.click(screen.getByRole('button', { name: 'Refund beyond the rules' }));
    await user.click((await dialog()).getByRole('radio', { name: /An amount/ }));
    await user.type((await dialog()).getByLabelText('Amount in USD'), '12.50');
    await user.type((await dialog()).getByLabelText(/Number of a trip card/), '9123 4567 8901 2348');
    await user.type((await dialog()).getByLabelText('Reason'), 'Seasick');
    await press('See the refund');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({ scope: { kind: 'amount', amount: 1250 }, trip_card: '9123456789012348' });
  });

  test('is not offered to the desk, nor while one waits', async () => {
    await openOrder('desk', () => success(null), withTickets());
    expect(screen.queryByRole('button', { name: 'Refund beyond the rules' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Cancel tickets' })).toBeDefined();
    cleanup();
    await openOrder('office', () => success(null), withTickets({ refund_request: asked }));
    expect(screen.getByText('Alan Turing asks to refund $500.00')).toBeDefined();
    for (const name of ['Refund beyond the rules', 'Refund $500.00', 'Refuse']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
  });

  test('is made by a manager when another person asked for it', async () => {
    const found = withTickets({ refund_request: asked });
    const sent = await openOrder('manager', () => success({ ...found, refund_request: null }), found);
    await user.click(screen.getByRole('button', { name: 'Refund $500.00' }));
    await waitFor(() => expect(screen.queryByText('Alan Turing asks to refund $500.00')).toBeNull());
    expect(sent).toMatchObject([{ method: 'POST', path: '/api/staff/refund_requests/rrq_1/approval' }]);
  });
});

describe('a cancellation for the buyer', () => {
  test('shows what the fare keeps before it is made', async () => {
    const found = withTickets();
    const quote = {
      ...{ version: 3, paid: 925, fee: 100, refund: 825, currency: 'USD', needs_code: false, notes: [] },
      tickets: [{ ticket_id: 'tkt_1', leg: 'out', title: 'Adult 1', paid: 925, fee: 100, refund: 825 }],
      ...{ destinations: [{ ...card, amount: 825 }], trip_cards: [], is_whole_order: false },
    };
    const sent = await openOrder(
      'desk',
      ({ path }) => success(path.endsWith('/quote') ? quote : found),
      found,
    );
    await user.click(screen.getByRole('button', { name: 'Cancel tickets' }));
    await user.click((await dialog()).getByRole('checkbox', { name: /Adult 1/ }));
    await press('See the refund');
    expect(await (await dialog()).findByText('$8.25 to Visa ending in 4242')).toBeDefined();
    expect((await dialog()).getByText('Cancellation fee')).toBeDefined();
    await press('Cancel 1 ticket');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.at(-1)).toMatchObject({
      path: '/api/staff/orders/2NWB-2WMB/cancellations',
      body: { ticket_ids: ['tkt_1'], version: 3, refund: 825 },
    });
  });
});
