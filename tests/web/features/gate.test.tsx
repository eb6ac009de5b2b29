import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';
import { buildLeg, buildOrder, buildTicket } from './orders.ts';

const PARTY: Order['party_codes'] = [
  {
    leg: 'out',
    passengers: 2,
    vehicles: 0,
    bicycles: 0,
    barcode: { symbology: 'qr', payload: 'GW1.party', key_id: 'k1' },
  },
];
/** When an order was saved that is shown without a connection. */
const OLD = '2026-05-01T12:00:00Z';
const user = userEvent.setup();

beforeEach(() => {
  Element.prototype.scrollTo = () => undefined;
  openPage();
});
afterEach(cleanup);

function visit(order: Order, ...addresses: string[]) {
  const Component = () => <OrderTickets order={camelCased(order)} isFresh={order.as_of !== OLD} />;
  const router = createTestRouter([{ path: '*', Component }], addresses);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const view = () => screen.findByRole('dialog', { name: 'Your tickets' });

test('the address opens the codes full screen, starting with the party’s code, and each code is labelled', async () => {
  visit(buildOrder({ party_codes: PARTY }), '/?show=tickets');
  const gate = within(await view());
  // The other codes are drawn once the first one is on screen.
  expect(await gate.findByRole('img', { name: 'Ticket code K7M4 QXP2' })).toBeDefined();
  expect(gate.getAllByRole('img').map((code) => code.getAttribute('aria-label'))).toEqual([
    'Ticket code for 2 travelers',
    'Ticket code K7M4 QXP1',
    'Ticket code K7M4 QXP2',
  ]);
  expect(gate.getByText('Everyone: 2 travelers')).toBeDefined();
  expect(gate.getByText(/^Port Madrona to Heron Island/).textContent).toBe(
    'Port Madrona to Heron Island, Fri, Jun 5, 8:40 AM',
  );
  expect(gate.getByText('2NWB-2WMB').parentElement?.textContent).toMatch(/^Order 2NWB-2WMB/);
  await user.click(gate.getByRole('button', { name: 'Next code' }));
  expect(gate.getByText('Adult 1, 1 of 2')).toBeDefined();
  expect(gate.getByText('K7M4 QXP1').getAttribute('translate')).toBe('no');
});

test('a code shows the name of its traveler, or of the buyer if the traveler has no name', async () => {
  visit(
    buildOrder({ tickets: [buildTicket(1, { traveler_name: 'Bo Diaz' }), buildTicket(2)] }),
    '/?show=tickets',
  );
  const gate = within(await view());
  expect(gate.getByText('Bo Diaz, Adult 1').dir).toBe('auto');
  expect(gate.queryByText(/Ada Lovelace/)).toBeNull();
  await user.click(gate.getByRole('button', { name: 'Next code' }));
  expect(gate.getByText('Adult 2, 2 of 2')).toBeDefined();
  expect(gate.getByText(/Ada Lovelace/)).toBeDefined();
});

test('a tap on a code opens it, and closing goes back in the history with the focus on the code', async () => {
  const router = visit(buildOrder({ party_codes: PARTY }), '/orders?order=2NWB-2WMB');
  const link = screen.getByRole('link', { name: /QXP2 full screen/ });
  await user.click(link);
  const gate = within(await view());
  expect(gate.getByText('Adult 2, 2 of 2')).toBeDefined();
  expect(router.state.location.search).toBe('?order=2NWB-2WMB&show=tickets');
  await user.click(gate.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.historyAction).toBe('POP');
  expect(document.activeElement).toBe(link);
});

test('each crossing of one traveler opens its own code full screen', async () => {
  const back = buildLeg({ leg: 'back', departs_at: '2026-06-08T15:40:00.000Z' });
  const tickets = [buildTicket(1), buildTicket(2, { leg: 'back' })];
  visit(buildOrder({ legs: [buildLeg(), back], tickets, party_codes: [] }), '/orders');
  const links = screen.getAllByRole('link', { name: 'Show full screen' });
  expect(links).toHaveLength(2);
  for (const [at, link] of links.entries()) {
    await user.click(link);
    const gate = within(await view());
    expect(gate.getByText(tickets[at]?.boarding_code ?? '')).toBeDefined();
    await user.click(gate.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('closing codes that were opened by a link leads to the screen below and not out of the app', async () => {
  const router = visit(buildOrder(), '/orders?order=2NWB-2WMB&show=tickets');
  await user.click(within(await view()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(router.state.location.search).toBe('?order=2NWB-2WMB'));
  expect(router.state.historyAction).toBe('REPLACE');
});

test('an order saved by a release without party codes shows its tickets', async () => {
  visit(buildOrder(), '/?show=tickets');
  const gate = within(await view());
  await waitFor(() => expect(gate.getAllByRole('img')).toHaveLength(2));
});

test('a ticket that is no longer valid shows its status instead of its code', async () => {
  visit(buildOrder({ tickets: [buildTicket(1, { status: 'canceled' }), buildTicket(2)] }), '/?show=tickets');
  const gate = within(await view());
  expect(await gate.findByRole('img', { name: 'Ticket code K7M4 QXP2' })).toBeDefined();
  expect(await gate.findByText('Canceled')).toBeDefined();
  expect(gate.getAllByRole('img')).toHaveLength(1);
});

test('a canceled sailing has no code at all', async () => {
  visit(buildOrder({ legs: [buildLeg({ status: 'canceled' })], party_codes: PARTY }), '/?show=tickets');
  const gate = within(await view());
  await waitFor(() => expect(gate.getAllByText('Sailing canceled')).toHaveLength(2));
  expect(gate.queryByRole('img')).toBeNull();
});

test('a delay is shown below each code, and the reason for a cancellation replaces the codes', async () => {
  const late = buildLeg({ delay_minutes: 25, status_text: 'Leaves about 5:45 PM after an engine check.' });
  visit(buildOrder({ legs: [late], party_codes: PARTY }), '/?show=tickets');
  const gate = within(await view());
  for (const code of ['Everyone: 2 travelers', 'Adult 1, 1 of 2']) {
    expect(gate.getByText(code)).toBeDefined();
    expect(gate.getByText('25 min late')).toBeDefined();
    expect(gate.getByText('8:40 AM').tagName).toBe('S');
    expect(gate.getByText('9:05 AM', { selector: 'time' })).toBeDefined();
    expect(gate.getByText('Leaves about 5:45 PM after an engine check.')).toBeDefined();
    await user.click(gate.getByRole('button', { name: 'Next code' }));
  }
  cleanup();
  const canceled = buildLeg({ status: 'canceled', status_text: 'Canceled because of strong wind.' });
  visit(buildOrder({ legs: [canceled] }), '/?show=tickets');
  expect(within(await view()).getByText('Canceled because of strong wind.')).toBeDefined();
});

test('a canceled journey is shown as canceled after the valid tickets, with the time of the last check', async () => {
  const order = buildOrder({
    as_of: OLD,
    status: 'partly_canceled',
    canceled_legs: [buildLeg({ leg: 'back', sailing_id: 'sai_back1' })],
    tickets: [buildTicket(1), buildTicket(2, { leg: 'back', status: 'canceled' })],
  });
  visit(order, '/');
  const section = within(await screen.findByRole('region', { name: 'Return tickets' }));
  expect(section.getAllByText('Canceled').length).toBeGreaterThan(0);
  expect(section.getByText(/^Last checked May 1, /)).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Outbound tickets' })).toBeDefined();
  cleanup();
  visit(order, '/?show=tickets');
  const gate = within(await view());
  expect(gate.getAllByRole('img').map((code) => code.getAttribute('aria-label'))).toEqual([
    'Ticket code K7M4 QXP1',
  ]);
  expect(gate.getByText(/Last checked May 1, /)).toBeDefined();
  await user.click(gate.getByRole('button', { name: 'Next code' }));
  expect(await gate.findByText('Canceled')).toBeDefined();
  expect(gate.getByText(/^Return: Port Madrona/)).toBeDefined();
});
