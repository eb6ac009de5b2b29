import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import { setIdentityCheck } from '#web/platform/forms/step-up.ts';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { buildOrder, buildSummary, buildTicket, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

const ticket = buildTicket(1);
const quote: CancellationQuote = {
  version: 1,
  tickets: [{ ticket_id: ticket.id, leg: 'out', title: 'Adult', paid: 10_400, fee: 0, refund: 10_400 }],
  ...{ paid: 10_400, fee: 0, refund: 10_400, currency: 'USD' },
  destinations: [{ destination: 'card', network: 'visa', last_four: '4242', amount: 10_400 }],
  trip_cards: [{ id: 'tcd_1', name: 'Commute', last_four: '3280' }],
  ...{ is_whole_order: true, needs_code: false, notes: [] },
};

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

test('the owner has the refund put on a trip card after a step-up, and the saved lists are loaded again', async () => {
  const sent: { body: unknown; key: string | null }[] = [];
  let lists = 0;
  answerApi(({ url, init }) => {
    const { pathname } = url;
    if (pathname === '/api/customers/orders') {
      lists += 1;
      return listAnswer([buildSummary(1)]);
    }
    if (pathname.endsWith('/cancellations/quote')) return success(quote);
    if (pathname.endsWith('/cancellations')) {
      sent.push({
        body: JSON.parse(String(init.body)),
        key: new Headers(init.headers).get('idempotency-key'),
      });
      const methods = { code: 'step_up_required', message: '', details: { methods: ['password'] } };
      if (sent.length === 1) return json({ success: false, errors: [methods] }, 403);
      return success(buildOrder(1, { status: 'canceled', tickets: [{ ...ticket, status: 'canceled' }] }));
    }
    const isOrder = pathname.startsWith('/api/customers/orders/');
    return isOrder ? success(buildOrder(1, { tickets: [ticket], needs_proof: 'none' })) : undefined;
  });
  const { router } = await visitPortal('/orders');
  await screen.findByRole('heading', { name: 'My Orders' });
  await router.navigate(`/orders?order=${referenceOf(1)}`);
  const check = vi.fn(async () => true);
  setIdentityCheck(check);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel tickets' }));
  await userEvent.click(await screen.findByRole('button', { name: 'See your refund' }));
  expect(await screen.findByText(/^\$104\.00 goes back to your Visa ending in 4242/)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Commute ending in 3280' }));
  expect(screen.getByText('$104.00 is put on Commute ending in 3280 at once.')).toBeDefined();
  const before = lists;
  await userEvent.click(screen.getByRole('button', { name: 'Cancel this ticket' }));
  expect(await screen.findByRole('heading', { name: 'Your order is canceled' })).toBeDefined();
  expect(check).toHaveBeenCalledOnce();
  expect(sent.map(({ body }) => body)).toEqual([
    { ticket_ids: [ticket.id], version: 1, refund: 10_400, trip_card_id: 'tcd_1' },
    { ticket_ids: [ticket.id], version: 1, refund: 10_400, trip_card_id: 'tcd_1' },
  ]);
  await waitFor(() => expect(lists).toBeGreaterThan(before));
});
