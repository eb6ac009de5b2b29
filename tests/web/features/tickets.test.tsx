import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { gateLink } from '#web/features/ticket/gate/use-gate-view.ts';
import { drawQrCode } from '#web/features/ticket/qr-code.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import { TicketSet } from '#web/features/ticket/ticket-set.tsx';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { openPage } from '../platform/page.ts';
import { buildLeg, buildOrder, buildOrderSummary, buildTicket } from './orders.ts';

beforeEach(() => {
  openPage();
});
afterEach(cleanup);

function showTickets(tickets = [buildTicket(1), buildTicket(2)], leg = buildLeg()) {
  render(
    <MemoryRouter>
      <TicketSet
        order={camelCased(buildOrder({ tickets }))}
        leg={camelCased(leg)}
        freshness="Saved on this phone 8:12 AM"
        gateLink={(at) => gateLink('/orders', 'tickets', at)}
      />
    </MemoryRouter>,
  );
}

test('a ticket between two time zones says how the clock changes', () => {
  showTickets(
    [buildTicket(1)],
    buildLeg({
      arrives_local: '2026-06-05T10:15:00-06:00',
      arrives_zone: 'America/Denver',
      arrives_zone_label: 'MDT',
    }),
  );
  expect(screen.getByText('1 hour later in Heron Island')).toBeDefined();
});

test('the driver included in a vehicle’s fare is shown as included, not as $0.00', () => {
  const line = { leg: 'out', quantity: 1, status: 'active' } as const;
  const order = buildOrder({
    lines: [
      {
        ...line,
        id: 'lin_1',
        kind: 'passenger',
        description: 'Adult, driver',
        is_driver: true,
        unit_amount: 0,
        amount: 0,
      },
      { ...line, id: 'lin_2', kind: 'vehicle', description: 'Car', unit_amount: 1850, amount: 1850 },
    ],
  });
  render(<OrderDetails order={camelCased(order)} />);
  expect(screen.getByText('Adult, driver').nextElementSibling?.textContent).toBe('Included');
  expect(screen.queryByText('$0.00')).toBeNull();
});

test('every ticket shows its code, day, time and zone', () => {
  showTickets();
  const tickets = screen.getAllByRole('article');
  expect(tickets).toHaveLength(2);
  for (const [index, ticket] of tickets.entries()) {
    expect(within(ticket).getByRole('img', { name: `Ticket code K7M4 QXP${index + 1}` })).toBeDefined();
    expect(within(ticket).getByText(`K7M4 QXP${index + 1}`)).toBeDefined();
    expect(within(ticket).getByText(`${index + 1} of 2`)).toBeDefined();
    expect(within(ticket).getByText('Fri, June 5, 2026')).toBeDefined();
    expect(within(ticket).getByText('8:20 AM PDT')).toBeDefined();
    expect(within(ticket).getByText('MV Tidewater')).toBeDefined();
    expect(within(ticket).getByText('Saved on this phone 8:12 AM')).toBeDefined();
  }
});

test('a ticket shows the traveler’s name, or else its position', () => {
  showTickets([buildTicket(1, { traveler_name: 'עדה' }), buildTicket(2)]);
  const [named, unnamed] = screen.getAllByRole('article');
  if (!named || !unnamed) throw new Error('There are no two tickets.');
  expect(within(named).getByText('עדה').tagName).toBe('BDI');
  expect(within(named).getByText('Adult 1')).toBeDefined();
  expect(within(named).queryByText('1 of 2')).toBeNull();
  expect(within(named).queryByText(/Ada Lovelace/)).toBeNull();
  expect(within(unnamed).getByText('2 of 2')).toBeDefined();
  expect(within(unnamed).getByText(/Ada Lovelace/)).toBeDefined();
});

test('the buttons step through the set and stop at its ends', () => {
  const scrollTo = vi.fn();
  Element.prototype.scrollTo = scrollTo;
  showTickets();
  const next = screen.getByRole('button', { name: 'Next ticket' });
  const previous = screen.getByRole('button', { name: 'Previous ticket' });
  expect(previous.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(next);
  expect(screen.getByText('Ticket 2 of 2')).toBeDefined();
  expect(next.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(next);
  expect(screen.getByText('Ticket 2 of 2')).toBeDefined();
  fireEvent.click(previous);
  expect(screen.getByText('Ticket 1 of 2')).toBeDefined();
  expect(scrollTo).toHaveBeenCalled();
});

test('a canceled ticket says so and is not shown as valid', () => {
  showTickets([buildTicket(1, { status: 'canceled' })]);
  expect(screen.getAllByText('Canceled').length).toBeGreaterThan(0);
  expect(screen.queryByText('Valid')).toBeNull();
});

test('canceled tickets follow the valid ones, are not numbered, and open no code', () => {
  const canceled = buildTicket(1, { title: 'Adult', status: 'canceled' });
  const others = [2, 3].map((index) => buildTicket(index, { title: 'Adult' }));
  showTickets([canceled, ...others]);
  const headers = screen.getAllByRole('article').map((ticket) => ticket.textContent?.slice(0, 14));
  expect(headers).toEqual(['Adult1 of 2Val', 'Adult2 of 2Val', 'AdultCanceledF']);
  expect(screen.getByRole('link', { name: 'Show full screen' })).toBeDefined();
  cleanup();
  showTickets([canceled]);
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.queryByText(/brightness/)).toBeNull();
});

test('details of an order show its canceled journey and the refund of canceled lines', () => {
  const refund = { leg: 'back', kind: 'passenger', quantity: 1, status: 'canceled', refund: 520 } as const;
  const order = buildOrder({
    status: 'partly_canceled',
    canceled_legs: [buildLeg({ leg: 'back' })],
    lines: [
      ...buildOrder().lines,
      { id: 'lin_2', description: 'Adult', unit_amount: 1275, amount: 1275, ...refund },
    ],
  });
  render(<OrderDetails order={camelCased(order)} />);
  const details = screen.getByRole('heading', { name: 'Return Canceled' }).closest('details') as HTMLElement;
  expect(within(details).getByText('Canceled')).toBeDefined();
  expect(screen.getByText('Adult, canceled')).toBeDefined();
  expect(screen.getByText('Return · Refund $5.20')).toBeDefined();
});

test('an order summary says that some tickets are canceled', () => {
  const order = camelCased(buildOrderSummary({ status: 'partly_canceled' }));
  render(
    <MemoryRouter>
      <OrderSummaryCard order={order} to="/orders" />
    </MemoryRouter>,
  );
  expect(screen.getByText('Some tickets are canceled.')).toBeDefined();
});

test('tickets of a canceled sailing are not shown as valid', () => {
  showTickets([buildTicket(1)], buildLeg({ status: 'canceled' }));
  expect(screen.getAllByText('Sailing canceled').length).toBeGreaterThan(0);
  expect(screen.queryByText('Valid')).toBeNull();
});

test('tickets, order details and lists strike the times of a late boat and show the new ones', () => {
  const leg = buildLeg({ delay_minutes: 25 });
  const struck = () => screen.getAllByText(/[AP]M/, { selector: 's' }).map((each) => each.textContent);
  const planned = ['planned 8:40 AM', 'planned 9:15 AM'];
  showTickets([buildTicket(1)], leg);
  expect(struck()).toEqual(planned);
  expect(screen.getByText('9:05 AM').getAttribute('datetime')).toBe('2026-06-05T16:05:00.000Z');
  cleanup();
  render(<OrderDetails order={camelCased(buildOrder({ legs: [leg] }))} />);
  expect(struck()).toEqual(planned);
  cleanup();
  render(
    <MemoryRouter>
      <OrderSummaryCard order={camelCased(buildOrderSummary({ legs: [leg] }))} to="/orders" />
    </MemoryRouter>,
  );
  expect(struck()).toEqual(planned);
});

test('tickets and order details describe a delay or cancellation alike', () => {
  for (const [change, label] of [
    [{ delay_minutes: 25, status_text: 'Leaves about 5:45 PM after an engine check.' }, '25 min late'],
    [{ status: 'canceled', status_text: 'Canceled because of strong wind.' }, 'Sailing canceled'],
  ] as const) {
    const leg = buildLeg(change);
    showTickets([buildTicket(1)], leg);
    const ticket = within(screen.getByRole('article'));
    expect(ticket.getAllByText(label).length).toBeGreaterThan(0);
    expect(ticket.getByText(change.status_text)).toBeDefined();
    cleanup();
    render(<OrderDetails order={camelCased(buildOrder({ legs: [leg] }))} />);
    expect(screen.getByText(label)).toBeDefined();
    expect(screen.getByText(change.status_text)).toBeDefined();
    cleanup();
  }
});

test.each([
  ['issued', 'Past trip'],
  ['boarded', 'Used'],
  ['no_show', 'Missed'],
] as const)(
  'a ticket of a crossing that is over, with the status %s, reads "%s" and shows no code',
  (status, label) => {
    showTickets([buildTicket(1, { status })], buildLeg({ status: 'arrived' }));
    expect(screen.getAllByText(label).length).toBeGreaterThan(0);
    expect(screen.queryByText('Valid')).toBeNull();
    expect(screen.queryByRole('link', { name: /full screen/ })).toBeNull();
  },
);

test('an order whose crossings are over has no files, and its receipt to print', () => {
  const paid = { currency: 'USD', failure: null, wallet: null, inserted_at: '2026-06-01T15:00:00Z' } as const;
  const visa = { network: 'visa', last_four: '4242' };
  const order = camelCased(
    buildOrder({
      legs: [buildLeg({ status: 'arrived' })],
      payments: [{ id: 'pay_1', method: 'card', amount: 1850, status: 'succeeded', ...visa, ...paid }],
      refunds: [
        {
          ...{ id: 'rfd_1', destination: 'card', amount: 350, status: 'succeeded', ...visa },
          ...{ reason: 'goodwill', inserted_at: '2026-06-07T15:00:00Z' },
        },
      ],
    }),
  );
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <TicketFiles order={order} />
    </QueryClientProvider>,
  );
  expect(container.textContent).toBe('');
  cleanup();
  const print = vi.fn();
  vi.stubGlobal('print', print);
  render(<OrderDetails order={order} />);
  const heading = screen.getByRole('heading', { name: 'Receipt' });
  const receipt = heading.closest('details')?.textContent;
  expect(receipt).toContain('Order 2NWB-2WMB');
  expect(receipt).toContain('Paid by Visa ending in 4242, Jun 1, 2026$18.50');
  expect(receipt).toContain('Refunded to Visa ending in 4242, Jun 7, 2026$3.50');
  expect(receipt).toContain('Paid after refunds$15.00');
  fireEvent.click(screen.getByRole('button', { name: 'Print receipt' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('an order with a crossing ahead has a price without dates, and no receipt yet', () => {
  render(<OrderDetails order={camelCased(buildOrder())} />);
  expect(screen.getByRole('heading', { name: 'Price' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Print receipt' })).toBeNull();
});

test('a code links to its full-screen view unless the ticket is void', () => {
  showTickets([buildTicket(1), buildTicket(2, { status: 'canceled' })]);
  const link = screen.getByRole('link', { name: 'Ticket code K7M4 QXP1 full screen' });
  expect(link.getAttribute('href')).toBe('/orders?show=tickets');
  expect(screen.queryByRole('link', { name: /QXP2/ })).toBeNull();
});

test('a car is neither a traveler nor one of the party’s numbers', () => {
  const car = buildTicket(2, { kind: 'vehicle', title: 'Car, 5KJH 220' });
  showTickets([buildTicket(1), car]);
  expect(screen.queryByText(/ of 2$/, { selector: 'article *' })).toBeNull();
  cleanup();
  render(
    <MemoryRouter>
      <OrderSummaryCard order={camelCased(buildOrderSummary({ party_size: 1, vehicles: 1 }))} to="/orders" />
    </MemoryRouter>,
  );
  expect(screen.getByText('1 traveler, 1 vehicle')).toBeDefined();
});

test('a QR code is one path on a square with a quiet zone', () => {
  const { size, path } = drawQrCode('GW1.ticket.1');
  expect((size - 8 - 17) % 4).toBe(0);
  expect(path).toMatch(/^M4 4h7v1h-7z/);
  expect(path).not.toMatch(/M[0-3] /);
});

test('an order summary is named by its trip, and its badge leads to the choice', () => {
  render(
    <MemoryRouter>
      <OrderSummaryCard
        order={camelCased(buildOrderSummary({ display_status: 'action_needed' }))}
        to="/orders?open=1"
      />
    </MemoryRouter>,
  );
  const trip = screen.getByRole('link', { name: 'Port Madrona → Heron Island, Fri, Jun 5 Order 2NWB-2WMB' });
  expect(trip.getAttribute('href')).toBe('/orders?open=1');
  const choice = screen.getByRole('link', { name: 'Needs your attention' });
  expect(choice.getAttribute('href')).toBe('/orders?open=1#attention');
  expect(screen.getByText('2 travelers')).toBeDefined();
  expect(screen.getByText('$18.50')).toBeDefined();
});

test('order details show each line, the rules, and a map link without a referrer', () => {
  render(<OrderDetails order={camelCased(buildOrder())} />);
  expect(screen.getByText('2 × Adult')).toBeDefined();
  expect(screen.getByText('$9.25 each')).toBeDefined();
  expect(screen.getByText('50% refund until Thu, Jun 4, 9:30 AM PDT.')).toBeDefined();
  const map = screen.getByRole('link', { name: /Map of the Port Madrona terminal/ });
  expect(map.getAttribute('href')).toContain('https://www.openstreetmap.org/?mlat=47.95&mlon=-122.42');
  expect(map.getAttribute('rel')).toContain('noreferrer');
});

test('order details list payments and refunds with their cards', () => {
  const paid = { currency: 'USD', failure: null, wallet: null, inserted_at: '2026-06-01T15:00:00Z' } as const;
  const [visa, trip] = [
    { network: 'visa', last_four: '4242' },
    { network: null, last_four: '3280' },
  ];
  const back = { reason: 'operator', inserted_at: '2026-06-02T15:00:00Z' } as const;
  const order = buildOrder({
    payments: [
      { id: 'pay_1', method: 'card', amount: 500, status: 'canceled', ...visa, ...paid },
      { id: 'pay_2', method: 'card', amount: 850, status: 'succeeded', ...visa, ...paid },
      { id: 'pay_3', method: 'trip_card', amount: 1000, status: 'succeeded', ...trip, ...paid },
    ],
    refunds: [
      { id: 'rfd_1', destination: 'trip_card', amount: 1000, status: 'succeeded', ...trip, ...back },
      { id: 'rfd_2', destination: 'card', amount: 850, status: 'pending', ...visa, ...back },
    ],
  });
  const { container } = render(<OrderDetails order={camelCased(order)} />);
  for (const words of [
    'Paid by Visa ending in 4242$8.50',
    'Paid by trip card ending in 3280$10.00',
    'Refunded to trip card ending in 3280$10.00',
    'On its way back to Visa ending in 4242$8.50',
  ]) {
    expect(container.textContent).toContain(words);
  }
  expect(container.textContent).not.toContain('$5.00');
});
