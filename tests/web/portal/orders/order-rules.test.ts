// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { OrderSummary } from '#contract/orders/schemas.ts';
import {
  departsOnDayOf,
  findNextLeg,
  findNextTrip,
  formatDepartureDay,
  formatTimeLeft,
} from '#web/features/order/trips.ts';
import { formatFreshness } from '#web/features/saved-offline/freshness.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { queryString } from '#web/platform/api/query-string.ts';
import { ordersPath, ordersState, readOrdersSearch } from '#web/portal/orders/orders-search.ts';
import { byDeparture, orderFilters, orderListQuery } from '#web/portal/orders/queries.ts';
import { buildLeg, buildSummary, NOW } from '../build-order.ts';

const summary = (number: number, over: Partial<OrderSummary> = {}) => camelCased(buildSummary(number, over));
const leg = (hours: number) => camelCased(buildLeg(hours));

describe('the address of My Orders', () => {
  test.each([
    ['', '/orders'],
    ['?view=upcoming', '/orders'],
    ['?view=past', '/orders?view=past'],
    ['?view=nonsense', '/orders'],
    ['?order=K7M4-QXPA&view=all', '/orders?view=all&order=K7M4-QXPA'],
  ])('normalizes %j to %s', (query, path) => {
    expect(ordersPath(readOrdersSearch(new URLSearchParams(query)))).toBe(path);
  });

  test('contains no text of a search, which the history keeps beside it', () => {
    const search = readOrdersSearch(new URLSearchParams('?view=all'), { text: 'Ada' });
    expect(search).toEqual({ view: 'all', order: null, text: 'Ada' });
    expect([ordersPath(search), ordersState(search)]).toEqual(['/orders?view=all', { text: 'Ada' }]);
    for (const state of [null, { text: 1 }, 'Ada', { isOpenedHere: true }]) {
      expect(readOrdersSearch(new URLSearchParams(), state).text).toBe('');
    }
  });
});

describe('the filters', () => {
  test('select upcoming orders by the open states and a departure after two hours ago', () => {
    const filters = orderFilters('upcoming', NOW);
    expect([...new URLSearchParams(queryString({ filters, page: 1 }))]).toEqual([
      ['filters[0][field]', 'status'],
      ['filters[0][op]', 'in'],
      ['filters[0][value][]', 'held'],
      ['filters[0][value][]', 'awaiting_payment'],
      ['filters[0][value][]', 'confirmed'],
      ['filters[0][value][]', 'partly_canceled'],
      ['filters[1][field]', 'departs_at'],
      ['filters[1][op]', '>='],
      ['filters[1][value]', '2026-06-05T14:12:00.000Z'],
      ['page', '1'],
    ]);
  });

  test('are empty for all orders', () => {
    expect(orderFilters('all', NOW)).toEqual([]);
  });

  test('use the same query key on the next day, so that a saved list is found', () => {
    expect(orderListQuery({ view: 'upcoming', text: '' }).queryKey).toEqual([
      'customer-orders',
      'upcoming',
      '',
    ]);
  });
});

describe('the next trip', () => {
  test('is the first departure of all orders with tickets', () => {
    const orders = [
      summary(5),
      summary(2),
      summary(1, { status: 'awaiting_payment' }),
      summary(1, { status: 'canceled' }),
      summary(3, { legs: [buildLeg(-2)] }),
    ];
    expect(findNextTrip(orders, NOW)?.order.reference).toBe(orders[1]?.reference);
    expect(findNextTrip([], NOW)).toBeNull();
  });

  test('is the crossing under way until it arrives, and then the return', () => {
    expect(findNextLeg([leg(-2), leg(5)], NOW)).toEqual(leg(5));
    expect(findNextLeg([leg(-0.25), leg(5)], NOW)).toEqual(leg(-0.25));
    expect(findNextLeg([leg(-2)], NOW)).toBeNull();
  });

  test('comes first in the list, and past trips come last', () => {
    const orders = [summary(3, { legs: [buildLeg(-1)] }), summary(2), summary(1)];
    expect(orders.toSorted(byDeparture(NOW))).toEqual([orders[2], orders[1], orders[0]]);
  });

  test('shows the day in the port’s time zone, whatever the device’s zone', () => {
    expect(formatDepartureDay(leg(1), NOW)).toBe('Today, Fri, Jun 5');
    expect(formatDepartureDay(leg(16), NOW)).toBe('Tomorrow, Sat, Jun 6');
    expect(formatDepartureDay(leg(48), NOW)).toBe('Sun, June 7, 2026');
  });

  test('is today until midnight at the port, also on the day on which its clock changes', () => {
    // In Los Angeles, clocks went from 2:00 AM to 1:00 AM on November 1, 2026, so 12:30 AM was still summer time.
    const departure = { ...leg(1), departsLocal: '2026-11-01T20:00:00-08:00' };
    expect(departsOnDayOf(departure, Date.parse('2026-11-01T00:30:00-07:00'))).toBe(true);
    expect(departsOnDayOf(departure, Date.parse('2026-10-31T23:30:00-07:00'))).toBe(false);
    expect(departsOnDayOf(departure, Date.parse('2026-11-01T23:59:00-08:00'))).toBe(true);
    expect(departsOnDayOf(departure, Date.parse('2026-11-02T00:00:00-08:00'))).toBe(false);
  });

  test.each([
    [60, 'in 1 min'],
    [95 * 60, 'in 1 h 35 min'],
    [0, 'closed'],
    [-60, 'closed'],
    [25 * 3600, null],
  ])('shows, %i seconds before check-in closes, the text %j', (seconds, text) => {
    expect(formatTimeLeft(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(text);
  });
});

test('formatFreshness shows the time of the oldest data, with its day if that was another day', () => {
  const earlier = new Date(NOW - 60_000).toISOString();
  const clock = new Date(earlier).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  expect(formatFreshness([new Date(NOW).toISOString(), earlier], NOW)).toBe(`Updated ${clock}`);
  expect(formatFreshness([earlier], NOW + 3 * 86_400_000)).toMatch(/^Updated Jun \d, /);
  expect(formatFreshness([], NOW)).toBeNull();
});
