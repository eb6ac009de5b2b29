import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Leg as WireLeg } from '#contract/orders/schemas.ts';
import {
  describeTransfer,
  findFirstBoat,
  findOnwardBoat,
  nameTickets,
} from '#web/features/order/journeys.ts';
import { NextTripBrief } from '#web/features/order/next-trip.tsx';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { listLegsByUse } from '#web/features/ticket/tickets-of-order.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';
import { buildLeg, buildOrder, buildOrderSummary, buildTicket } from './orders.ts';

const HERON = { code: 'HER', name: 'Heron Island', lat: null, lon: null, address: '' };
const KESTREL = { code: 'KES', name: 'Kestrel Harbor', lat: null, lon: null, address: '' };
const MADRONA = { code: 'MAD', name: 'Port Madrona', lat: null, lon: null, address: '' };

/** 35 minutes after the first boat of `buildLeg` arrives. */
const onward = buildLeg({
  leg: 'out_onward',
  sailing_id: 'sai_out2',
  origin: HERON,
  destination: KESTREL,
  departs_at: '2026-06-05T16:50:00Z',
  arrives_at: '2026-06-05T17:30:00Z',
  departs_local: '2026-06-05T09:50:00-07:00',
  arrives_local: '2026-06-05T10:30:00-07:00',
});
const back = buildLeg({
  leg: 'back',
  sailing_id: 'sai_back1',
  origin: KESTREL,
  destination: HERON,
  departs_at: '2026-06-07T22:00:00Z',
  arrives_at: '2026-06-07T22:40:00Z',
  departs_local: '2026-06-07T15:00:00-07:00',
  arrives_local: '2026-06-07T15:40:00-07:00',
});
const backOnward = buildLeg({
  leg: 'back_onward',
  sailing_id: 'sai_back2',
  origin: HERON,
  destination: MADRONA,
  departs_at: '2026-06-07T23:00:00Z',
  arrives_at: '2026-06-07T23:35:00Z',
  departs_local: '2026-06-07T16:00:00-07:00',
  arrives_local: '2026-06-07T16:35:00-07:00',
});
const FOUR = [buildLeg(), onward, back, backOnward];
const NOW = Date.parse('2026-06-05T15:00:00Z');

function read(leg: WireLeg): Leg {
  return camelCased(leg);
}

beforeEach(() => {
  openPage();
});
afterEach(cleanup);

describe('a change of boats', () => {
  const [first, second, third, fourth] = FOUR.map(read);

  test('belongs to the two boats of one journey', () => {
    const legs = FOUR.map(read);
    expect(legs.map((leg) => findFirstBoat(leg, legs)?.leg)).toEqual([undefined, 'out', undefined, 'back']);
    expect(legs.map((leg) => findOnwardBoat(leg, legs)?.leg)).toEqual([
      'out_onward',
      undefined,
      'back_onward',
      undefined,
    ]);
  });

  test('is not there if the first boat was taken from the order', () => {
    const legs = [first, second, fourth].flatMap((leg) => leg ?? []);
    expect(findFirstBoat(read(backOnward), legs)).toBeNull();
  });

  test.for<[string, Partial<WireLeg>, Partial<WireLeg>, string | null]>([
    ['as planned', {}, {}, 'Change at Heron Island · 35 min'],
    ['with a late first boat', { delay_minutes: 15 }, {}, 'Change at Heron Island · 20 min'],
    ['with both boats late', { delay_minutes: 15 }, { delay_minutes: 30 }, 'Change at Heron Island · 50 min'],
    [
      'with a first boat that arrives after the second leaves',
      { delay_minutes: 40 },
      {},
      'Change at Heron Island: you may miss the second boat',
    ],
    ['with a canceled first boat', { status: 'canceled' }, {}, null],
    ['with a canceled second boat', {}, { status: 'canceled' }, null],
  ])('%s is described by its port and its minutes', ([, firstOver, onwardOver, text]) => {
    const one = read(buildLeg(firstOver));
    expect(describeTransfer(one, read({ ...onward, ...onwardOver }))).toBe(text);
  });

  test('leaves the boats in the order in which they are still to come', () => {
    const order = camelCased(buildOrder({ legs: [...FOUR] }));
    const afterFirst = Date.parse(first?.arrivesAt ?? '') + 1;
    expect(listLegsByUse(order, afterFirst)).toEqual([second, third, fourth, first]);
  });
});

test.for<[WireLeg['leg'], WireLeg['leg'][], string]>([
  ['out', ['out'], 'Tickets'],
  ['back', ['out', 'back'], 'Return tickets'],
  ['out_onward', ['out', 'out_onward'], 'Tickets, second boat'],
  ['back', ['out', 'back', 'back_onward'], 'Return tickets, first boat'],
])('the tickets of the leg %s of %j have the title "%s"', ([leg, legs, title]) => {
  const all = legs.map((each) => ({ leg: each }));
  expect(nameTickets({ leg }, all)).toBe(title);
});

test('a list shows each journey of an order once, with its day and its change', () => {
  const order = camelCased(buildOrderSummary({ legs: FOUR }));
  render(
    <MemoryRouter>
      <OrderSummaryCard order={order} to="/orders/1" />
    </MemoryRouter>,
  );
  const text = screen.getByRole('article').textContent;
  expect(text.match(/Outbound: Fri, June 5, 2026/g)).toHaveLength(1);
  expect(text.match(/Fri, June 5, 2026/g)).toHaveLength(1);
  expect(text.match(/Return: Sun, June 7, 2026/g)).toHaveLength(1);
  expect(screen.getByText('Change at Heron Island · 35 min')).toBeDefined();
  expect(screen.getByText('Change at Heron Island · 20 min')).toBeDefined();
});

test('a second boat after midnight shows its own day', () => {
  const late = { ...onward, departs_local: '2026-06-06T00:10:00-07:00' };
  const order = camelCased(buildOrderSummary({ legs: [buildLeg(), late] }));
  render(
    <MemoryRouter>
      <OrderSummaryCard order={order} to="/orders/1" />
    </MemoryRouter>,
  );
  expect(screen.getByText('Sat, June 6, 2026')).toBeDefined();
});

test('the details of an order have a card for each boat', () => {
  render(<OrderDetails order={camelCased(buildOrder({ legs: FOUR }))} />);
  const titles = screen.getAllByRole('heading').map(({ textContent }) => textContent);
  expect(titles.slice(0, 4)).toEqual([
    'Outbound, first boat',
    'Outbound, second boat',
    'Return, first boat',
    'Return, second boat',
  ]);
});

test('the next trip shows both boats and the change between them', () => {
  const order = camelCased(buildOrder({ legs: FOUR }));
  const [leg] = order.legs;
  if (!leg) throw new Error('The order has no leg.');
  render(
    <MemoryRouter>
      <NextTripBrief trip={{ order, leg }} gate={{ to: '/' }} to="/" now={NOW} />
    </MemoryRouter>,
  );
  expect(screen.getByText('Change at Heron Island · 35 min')).toBeDefined();
  expect(screen.getByText('Kestrel Harbor')).toBeDefined();
});

test('the tickets of both boats are shown, the second below the change', async () => {
  const tickets = [buildTicket(1), buildTicket(2, { leg: 'out_onward', sailing_id: 'sai_out2' })];
  const order = camelCased(buildOrder({ legs: [buildLeg(), onward], tickets }));
  const router = createTestRouter([{ path: '*', Component: () => <OrderTickets order={order} isFresh /> }]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  expect(await screen.findByRole('heading', { name: 'Tickets, first boat' })).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Tickets, second boat' })).toBeDefined();
  expect(screen.getByText('Change at Heron Island · 35 min')).toBeDefined();
});
