import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { json, openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

const unavailable = () => json({ success: false, errors: [] }, 503);

/** The home screen of a browser that has tickets for a crossing in three hours. `answer`: to loading them again. */
async function visitWithTickets(
  path: string,
  over: Partial<Order> = {},
  answer: () => Response = unavailable,
) {
  localStorage.setItem('has-tickets', '1');
  answerApi({ 'GET /api/orders/ord_1': answer });
  const view = await visit('/404');
  const leg = buildLeg({ departs_at: inHours(3), arrives_at: inHours(4) });
  const car = buildTicket(2, { kind: 'vehicle', title: 'Car, 5KJH 220' });
  const order = buildOrder({ legs: [leg], tickets: [buildTicket(1), car], ...over });
  const { queryKey } = orderQuery('ord_1');
  view.client.setQueryData(queryKey, camelCased(order));
  // As restored from the device.
  await view.client.invalidateQueries({ queryKey, refetchType: 'none' });
  await view.router.navigate(path);
  return view;
}

test('the next trip with saved tickets is shown above the purchase and links to its codes', async () => {
  await visitWithTickets('/');
  const trip = (await screen.findByText('Your next trip')).closest('section') as HTMLElement;
  const link = within(trip).getByRole('link', { name: 'Show tickets' });
  expect(link.getAttribute('href')).toBe('/orders/ord_1/confirmation?show=tickets');
  const heading = await screen.findByRole('heading', { name: 'Purchase tickets' });
  expect(trip.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('the list of saved tickets counts travelers and vehicles', async () => {
  await visitWithTickets('/');
  expect(await screen.findByText('1 traveler, 1 vehicle')).toBeDefined();
});

test('the next trip is loaded again, and disappears once its tickets are canceled', async () => {
  const canceled = [buildTicket(1, { status: 'canceled' })];
  const { client } = await visitWithTickets('/', {}, () =>
    success(buildOrder({ status: 'canceled', display_status: 'canceled', tickets: canceled })),
  );
  await waitFor(() => expect(client.getQueryData(orderQuery('ord_1').queryKey)?.status).toBe('canceled'));
  await waitFor(() => expect(screen.queryByText('Your next trip')).toBeNull());
});

const UNPAID: Partial<Order> = { status: 'awaiting_payment', payment_status: 'processing', tickets: [] };

test('an order that was being paid when the tab was closed is shown until its outcome is known', async () => {
  const { router } = await visitWithTickets('/', { ...UNPAID, as_of: inHours(0) });
  expect(await screen.findByText(/is not finished$/)).toBeDefined();
  expect(screen.queryByText('Your tickets on this device')).toBeNull();
  await userEvent.click(await screen.findByRole('link', { name: 'See your order' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders/ord_1/confirmation'));
});

test('an order that was paid after the tab was closed shows its tickets', async () => {
  await visitWithTickets('/', { ...UNPAID, as_of: inHours(0) }, () =>
    success(buildOrder({ legs: [buildLeg({ departs_at: inHours(3), arrives_at: inHours(4) })] })),
  );
  expect(await screen.findByText('Your next trip')).toBeDefined();
  expect(screen.queryByText(/is not finished$/)).toBeNull();
});

test('a canceled order stays on the device and says so', async () => {
  await visitWithTickets('/', {
    status: 'canceled',
    display_status: 'canceled',
    tickets: [buildTicket(1, { status: 'canceled' })],
  });
  expect(await screen.findByText('Canceled')).toBeDefined();
  expect(screen.getByText('1 traveler')).toBeDefined();
  expect(screen.queryByText('Your next trip')).toBeNull();
});

test('tickets of a canceled return stay on the device after the outbound trip', async () => {
  const gone = buildLeg({ departs_at: inHours(-20), arrives_at: inHours(-19) });
  const back = buildLeg({ leg: 'back', departs_at: inHours(5), arrives_at: inHours(6) });
  await visitWithTickets('/', {
    status: 'partly_canceled',
    legs: [gone],
    canceled_legs: [back],
    tickets: [buildTicket(1), buildTicket(2, { leg: 'back', status: 'canceled' })],
  });
  expect(await screen.findByText('Some tickets are canceled.')).toBeDefined();
});

test('the app’s shortcut opens the codes of the next trip', async () => {
  const { router } = await visitWithTickets('/?show=next');
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders/ord_1/confirmation'));
  expect(router.state.location.search).toBe('?show=tickets');
});

test('without saved tickets the shortcut leads to the look-up, and the skeleton disappears', async () => {
  localStorage.setItem('has-tickets', '1');
  answerApi();
  const { router } = await visit('/?show=next');
  await waitFor(() => expect(router.state.location.search).toBe('?find=1'));
  expect(localStorage.getItem('has-tickets')).toBeNull();
});
