// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { OrderSummary } from '#contract/orders/schemas.ts';
import { findNextLeg, findNextTrip, formatTimeLeft, formatTripDay } from '#web/features/order/trips.ts';
import { formatFreshness } from '#web/features/saved-offline/freshness.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { queryString } from '#web/platform/api/query-string.ts';
import { ordersPath, readOrdersSearch, tidyReference } from '#web/portal/orders/orders-search.ts';
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
    ['?reference=k7m4', '/orders?reference=K7M4'],
    ['?order=K7M4-QXPA&view=all', '/orders?view=all&order=K7M4-QXPA'],
  ])('%j is read as %s', (query, path) => {
    expect(ordersPath(readOrdersSearch(new URLSearchParams(query)))).toBe(path);
  });

  test.each([
    ['k7m4qxpa', 'K7M4-QXPA'],
    [' K7M4 – QXPA ', 'K7M4-QXPA'],
    ['k7m4q', 'K7M4-Q'],
    ['qxpa', 'QXPA'],
    ['-qx', '-QX'],
    ['%_\\', ''],
    ['', ''],
  ])('a reference typed as %j is looked for as %j', (typed, tidy) => {
    expect(tidyReference(typed)).toBe(tidy);
  });
});

describe('the filters', () => {
  test('of upcoming orders name the open states and a departure not long ago', () => {
    const filters = orderFilters({ view: 'upcoming', reference: 'K7' }, NOW);
    expect([...new URLSearchParams(queryString({ filters, page: 1 }))]).toEqual([
      ['filters[0][field]', 'status'],
      ['filters[0][op]', 'in'],
      ['filters[0][value][]', 'held'],
      ['filters[0][value][]', 'awaiting_payment'],
      ['filters[0][value][]', 'confirmed'],
      ['filters[0][value][]', 'partly_cancelled'],
      ['filters[1][field]', 'departs_at'],
      ['filters[1][op]', '>='],
      ['filters[1][value]', '2026-06-05T14:12:00.000Z'],
      ['filters[2][field]', 'reference'],
      ['filters[2][op]', 'ilike'],
      ['filters[2][value]', 'K7'],
      ['page', '1'],
    ]);
  });

  test('of all orders are none', () => {
    expect(orderFilters({ view: 'all', reference: '' }, NOW)).toEqual([]);
  });

  test('are the same query tomorrow, so that a list that was kept is found again', () => {
    expect(orderListQuery({ view: 'upcoming', reference: '' }).queryKey).toEqual([
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
      summary(1, { status: 'cancelled' }),
      summary(3, { legs: [buildLeg(-2)] }),
    ];
    expect(findNextTrip(orders, NOW)?.order.reference).toBe(orders[1]?.reference);
    expect(findNextTrip([], NOW)).toBeNull();
  });

  test('is the way back once the way out is done, and the crossing under way until it arrives', () => {
    expect(findNextLeg([leg(-2), leg(5)], NOW)).toEqual(leg(5));
    expect(findNextLeg([leg(-0.25), leg(5)], NOW)).toEqual(leg(-0.25));
    expect(findNextLeg([leg(-2)], NOW)).toBeNull();
  });

  test('comes first in its list and what is over last', () => {
    const orders = [summary(3, { legs: [buildLeg(-1)] }), summary(2), summary(1)];
    expect(orders.toSorted(byDeparture(NOW))).toEqual([orders[2], orders[1], orders[0]]);
  });

  test('is told by the day of its port, whatever the device’s zone', () => {
    expect(formatTripDay(leg(1), NOW)).toBe('Today, Fri, Jun 5');
    expect(formatTripDay(leg(16), NOW)).toBe('Tomorrow, Sat, Jun 6');
    expect(formatTripDay(leg(48), NOW)).toBe('Sun, June 7, 2026');
  });

  test.each([
    [60, 'in 1 min'],
    [95 * 60, 'in 1 h 35 min'],
    [0, 'closed'],
    [-60, 'closed'],
    [25 * 3600, null],
  ])('%i seconds before check-in closes says %j', (seconds, text) => {
    expect(formatTimeLeft(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(text);
  });
});

test('the age is that of the oldest, with its day when that was another', () => {
  const earlier = new Date(NOW - 60_000).toISOString();
  const clock = new Date(earlier).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  expect(formatFreshness([new Date(NOW).toISOString(), earlier], NOW)).toBe(`Updated ${clock}`);
  expect(formatFreshness([earlier], NOW + 3 * 86_400_000)).toMatch(/^Updated Jun \d, /);
  expect(formatFreshness([], NOW)).toBeNull();
});
