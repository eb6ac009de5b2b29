import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { buildLeg, buildOrder, buildSummary, buildTicket, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

const line = { leg: 'out', kind: 'passenger', status: 'active', unit_amount: 5200 } as const;
const LINES: Order['lines'] = [{ id: 'lin_1', description: 'Adult', quantity: 2, amount: 10_400, ...line }];
const TOO_LONG = {
  code: 'invalid_input',
  field: 'traveler_names.0',
  message: 'Use at most 120 characters.',
};
const ADD = 'Add travelers’ names';

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

/** Opens an order's screen. Its changes get the given replies in turn. Returns the bodies of the changes. */
async function visitOrder(over: Partial<Order>, replies: Response[] = []): Promise<unknown[]> {
  const sent: unknown[] = [];
  answerApi(({ url, init }) => {
    if (url.pathname === '/api/customers/orders') return listAnswer([buildSummary(1)]);
    if (init.method === 'PATCH') {
      sent.push(JSON.parse(String(init.body)));
      return replies.shift();
    }
    const isOrder = url.pathname.startsWith('/api/customers/orders/');
    return isOrder ? success(buildOrder(1, { lines: LINES, ...over })) : undefined;
  });
  await visitPortal(`/orders?order=${referenceOf(1)}`);
  await screen.findByText('Contact');
  return sent;
}

describe('the names on the tickets of an order', () => {
  test('can be changed by its owner, and a refused name shows its error beside the field', async () => {
    const tickets = [buildTicket(1, { traveler_name: 'Ada' }), buildTicket(2)];
    const sent = await visitOrder({}, [
      json({ success: false, errors: [TOO_LONG] }, 422),
      success(buildOrder(1, { lines: LINES, tickets, traveler_names: ['Ada'] })),
    ]);
    await userEvent.click(screen.getByText(ADD));
    const field = await screen.findByLabelText('Adult 1');
    await userEvent.type(field, 'Ada ');
    await userEvent.click(screen.getByRole('button', { name: 'Save names' }));
    const problem = await screen.findByText(TOO_LONG.message);
    expect(field.getAttribute('aria-describedby')).toContain(problem.id);
    await userEvent.click(screen.getByRole('button', { name: 'Save names' }));
    expect(await screen.findByText('The names on the tickets are saved.')).toBeTruthy();
    expect(screen.getByText('Ada').closest('article')).not.toBeNull();
    expect(screen.getByText('Change travelers’ names').closest('details')?.open).toBe(false);
    expect(sent).toEqual([{ traveler_names: ['Ada', ''] }, { traveler_names: ['Ada', ''] }]);
  });

  test.each<[string, Partial<Order>]>([
    ['the check-in has closed', { legs: [buildLeg(0.2)] }],
    ['the order is canceled', { status: 'canceled', display_status: 'canceled' }],
  ])('cannot be changed once %s', async (_, over) => {
    await visitOrder(over);
    expect(screen.queryByText(ADD)).toBeNull();
  });
});
