import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderOptions } from '#contract/orders/rebook/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { startSession } from '#web/platform/session/session.ts';
import { openPage, success, TOKEN } from '../../platform/page.ts';
import { buildLeg, buildOrder, buildSummary, buildTicket, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

const canceled = buildLeg(24, { status: 'canceled' });
const kept = buildLeg(26, { sailing_id: 'sai_2' });
const [choiceUntil, keptUntil] = [12, 25].map((hours) => new Date(NOW + hours * 3_600_000).toISOString());
const affected = buildOrder(1, {
  legs: [canceled],
  tickets: [buildTicket(1)],
  ...{ display_status: 'action_needed', needs_attention: 'sailing_canceled', choice_until: choiceUntil },
});
const moved: Order = {
  ...affected,
  legs: [kept],
  ...{ display_status: 'upcoming', needs_attention: null, version: 2 },
};
const options = (status: 'open' | 'moved'): OrderOptions => ({
  ...{ version: 1, refund: 10_400, currency: 'USD', later_same_day: false },
  as_of: new Date(NOW).toISOString(),
  journeys: [
    {
      ...{
        direction: 'out',
        reason: 'sailing_canceled',
        status,
        others: [],
        if_unanswered: 'refund',
        refund: 10_400,
      },
      booked: [status === 'open' ? canceled : kept],
      protected:
        status === 'open' ? { journey: [kept], until: keptUntil ?? '', until_local: keptUntil ?? '' } : null,
      ...{ deadline: choiceUntil ?? '', deadline_local: choiceUntil ?? '' },
    },
  ],
});

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

test('a customer whose sailing is canceled travels on the kept one, and the list is loaded again', async () => {
  const sent: unknown[] = [];
  let lists = 0;
  const current = () => (sent.length === 0 ? affected : moved);
  answerApi(({ url: { pathname }, init }) => {
    if (pathname === '/api/customers/orders') {
      lists += 1;
      return listAnswer([buildSummary(1, { legs: current().legs })]);
    }
    if (pathname.endsWith('/options')) return success(options(sent.length === 0 ? 'open' : 'moved'));
    if (pathname.endsWith('/rebook')) {
      sent.push(JSON.parse(String(init.body)));
      return success(moved);
    }
    return pathname.startsWith('/api/customers/orders/') ? success(current()) : undefined;
  });
  const { router } = await visitPortal('/orders');
  await screen.findByRole('heading', { name: 'My Orders' });
  await router.navigate(`/orders?order=${referenceOf(1)}`);
  await screen.findByRole('heading', { name: /^Your .* sailing is canceled$/ });
  const before = lists;
  await userEvent.click(screen.getByRole('button', { name: /^Travel at / }));
  await userEvent.click(await screen.findByRole('button', { name: 'Move all tickets' }));
  expect(await screen.findByRole('heading', { name: 'You can still choose another sailing' })).toBeDefined();
  expect(sent).toEqual([{ direction: 'out', sailing_ids: ['sai_2'], version: 1 }]);
  await waitFor(() => expect(lists).toBeGreaterThan(before));
});
