// @vitest-environment node
import { expect, test } from 'vitest';
import { getOrderBadge } from '#web/features/order/order-status.ts';
import { getTicketBadge } from '#web/features/ticket/ticket-badge.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { buildLeg, buildTicket } from './orders.ts';

const leg = camelCased(buildLeg()) as Leg;
const departs = Date.parse(leg.departsAt);
const DAY = 24 * 60 * 60_000;

test.each([
  [departs - DAY, 'Upcoming'],
  [departs - 60_000, 'Today'],
  [Date.parse(leg.arrivesAt) - 1, 'Today'],
  [Date.parse(leg.arrivesAt) + 1, 'Past trip'],
])('at %i, an order loaded on another day has the badge %s', (now, label) => {
  for (const displayStatus of ['today', 'upcoming'] as const) {
    expect(getOrderBadge({ displayStatus, legs: [leg] }, now).label).toBe(label);
  }
});

test('a late crossing is not over before it is expected to arrive', () => {
  const late = { ...leg, delayMinutes: 120 };
  const label = (minutes: number) =>
    getOrderBadge({ displayStatus: 'today', legs: [late] }, Date.parse(leg.arrivesAt) + minutes * 60_000)
      .label;
  expect([label(119), label(121)]).toEqual(['Today', 'Past trip']);
});

test.each([
  ['boarded', 'used', 'Used'],
  ['no_show', 'missed', 'Missed'],
  ['issued', 'unknown', 'Past trip'],
] as const)(
  'a past order and its ticket with the status %s have the same badge',
  (status, tripOutcome, label) => {
    const past = { ...leg, status: 'arrived' } as const;
    const badge = getOrderBadge({ displayStatus: 'used', tripOutcome, legs: [past] }, departs + DAY);
    expect(badge.label).toBe(label);
    expect(getTicketBadge(camelCased(buildTicket(1, { status })), past).label).toBe(label);
  },
);

test('a ticket of a boat that has departed says so, keeps its code, and says if it was scanned or missed', () => {
  const departed = { ...leg, status: 'departed' } as const;
  const badgeOf = (status: 'issued' | 'boarded' | 'no_show') =>
    getTicketBadge(camelCased(buildTicket(1, { status })), departed);
  expect(badgeOf('issued')).toMatchObject({ label: 'Departed', isVoid: false });
  expect(badgeOf('boarded').label).toBe('Boarded');
  expect(badgeOf('no_show').label).toBe('Missed');
});

test('a past order that an earlier release saved does not claim to have been used', () => {
  expect(getOrderBadge({ displayStatus: 'used', legs: [leg] }, departs + DAY).label).toBe('Past trip');
});

test('a final status does not depend on the day', () => {
  expect(getOrderBadge({ displayStatus: 'refunded', legs: [leg] }, departs).label).toBe('Refunded');
});

test('a canceled ticket is shown as canceled, also if its sailing is', () => {
  const canceled = { ...leg, status: 'canceled' } as const;
  const badgeOf = (status: 'issued' | 'canceled', at: Leg) =>
    getTicketBadge(camelCased(buildTicket(1, { status })), at).label;
  expect(badgeOf('issued', canceled)).toBe('Sailing canceled');
  expect(badgeOf('canceled', canceled)).toBe('Canceled');
  expect(badgeOf('canceled', leg)).toBe('Canceled');
});
