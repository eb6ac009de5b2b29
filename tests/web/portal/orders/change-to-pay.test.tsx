import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { openPage, success, TOKEN } from '../../platform/page.ts';
import { buildLeg, buildOrder, buildSummary, buildTicket, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function visitOrder(minutesToPay: number | null): Promise<void> {
  const order = buildOrder(1, {
    legs: [buildLeg(24)],
    tickets: [buildTicket(1)],
    change_to_pay_until: minutesToPay === null ? null : new Date(NOW + minutesToPay * 60_000).toISOString(),
  });
  answerApi(({ url: { pathname } }) => {
    if (pathname === '/api/customers/orders') return listAnswer([buildSummary(1)]);
    return pathname.startsWith('/api/customers/orders/') ? success(order) : undefined;
  });
  const { router } = await visitPortal('/orders');
  await screen.findByRole('heading', { name: 'My Orders' });
  await router.navigate(`/orders?order=${referenceOf(1)}`);
  await screen.findByRole('region', { name: 'About your trip' });
}

test('an order with a new trip that is not paid says until when, and leads to it', async () => {
  await visitOrder(30);
  expect(screen.getByText('Your new trip is not paid yet')).toBeDefined();
  expect(
    screen.getByText(/^We keep the places until .*\. Until then your order stays as it is\.$/),
  ).toBeDefined();
  expect(screen.getByRole('link', { name: 'See your new trip' }).getAttribute('href')).toMatch(
    /\/orders\/[^/]+\/change$/,
  );
});

test.each([null, -1])(
  'an order whose new trip can be paid for %s minutes says nothing of it',
  async (minutes) => {
    await visitOrder(minutes);
    expect(screen.queryByText('Your new trip is not paid yet')).toBeNull();
  },
);
