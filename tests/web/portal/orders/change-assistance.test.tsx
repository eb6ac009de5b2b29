import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { buildLeg, buildOrder, buildSummary, buildTicket, NOW, referenceOf } from '../build-order.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

const user = userEvent.setup();
const CHANGE = 'Change request for assistance';
const ASSISTANCE: NonNullable<Order['assistance']> = {
  travelers: [
    { traveler: 2, who: 'Adult (2 of 2)', text: 'Deaf or hard of hearing', needs: ['hearing'], note: '' },
  ],
  notice: '',
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

type Visit = { noticeHours?: number | undefined; replies?: Response[] };

/** Opens an order's screen. Its changes get the given replies in turn. Returns the bodies of the changes. */
async function visitOrder(over: Partial<Order>, { noticeHours, replies = [] }: Visit): Promise<unknown[]> {
  const sent: unknown[] = [];
  answerApi(({ url, init }) => {
    if (url.pathname === '/api/customers/orders') return listAnswer([buildSummary(1)]);
    if (url.pathname === '/api/catalogue') return success({ assistance_notice_hours: noticeHours });
    if (init.method === 'PATCH') {
      sent.push(JSON.parse(String(init.body)));
      return replies.shift();
    }
    const isOrder = url.pathname.startsWith('/api/customers/orders/');
    return isOrder ? success(buildOrder(1, over)) : undefined;
  });
  await visitPortal(`/orders?order=${referenceOf(1)}`);
  await screen.findByText('Contact');
  return sent;
}

test('the owner changes the assistance of an order, and is told if it comes too late to be promised', async () => {
  const refused = { code: 'rate_limited', message: 'Too many tries. Please wait a moment.' };
  const changed = { ...ASSISTANCE.travelers[0]!, text: 'Asks for a quiet seat' };
  const sent = await visitOrder(
    { assistance: ASSISTANCE },
    {
      noticeHours: 48,
      replies: [
        json({ success: false, errors: [refused] }, 429),
        success(buildOrder(1, { assistance: { travelers: [changed], notice: '' } })),
      ],
    },
  );
  await user.click(await screen.findByText(CHANGE));
  expect((await screen.findByText(/less than 48 hours’ notice/)).textContent).toContain('Port Madrona');
  const second = within(screen.getByRole('group', { name: 'Assistance for Adult 2' }));
  const hearing = second.getByRole('checkbox', { name: 'Deaf or hard of hearing' }) as HTMLInputElement;
  expect(hearing.checked).toBe(true);
  await user.click(hearing);
  await user.type(second.getByLabelText(/^Anything else/), ' Quiet seat ');
  await user.click(screen.getByRole('button', { name: 'Save request' }));
  expect(await screen.findByText(refused.message)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save request' }));
  expect(await screen.findByText('Your request for assistance is saved.')).toBeTruthy();
  expect(screen.getByText('Asks for a quiet seat')).toBeTruthy();
  expect(screen.getByText(CHANGE).closest('details')?.open).toBe(false);
  const body = { assistance: [{ traveler: 2, needs: [], note: 'Quiet seat' }] };
  expect(sent).toEqual([body, body]);
});

test.each<[string, Partial<Order>, number | undefined]>([
  ['the operator takes no requests online', { assistance: ASSISTANCE }, undefined],
  ['the check-in has closed', { legs: [buildLeg(0.2)] }, 48],
  ['the order is canceled', { status: 'canceled', display_status: 'canceled' }, 48],
  [
    'an earlier release has saved only its text',
    { assistance: { ...ASSISTANCE, travelers: [{ traveler: 2, who: 'Adult', text: 'Deaf' }] } },
    48,
  ],
])('assistance is not changed if %s', async (_, over, noticeHours) => {
  await visitOrder(over, { noticeHours });
  expect(screen.queryByText(/equest for assistance|Ask for assistance/)).toBeNull();
});

test('assistance can be asked for later, also for a traveler with a name', async () => {
  const sent = await visitOrder(
    { tickets: [buildTicket(1), buildTicket(2)], traveler_names: ['', 'Bo'] },
    { noticeHours: 2, replies: [success(buildOrder(1, { assistance: ASSISTANCE }))] },
  );
  await user.click(await screen.findByText('Ask for assistance'));
  await user.click(await screen.findByText('Bo', { selector: 'summary' }));
  const bo = within(screen.getByRole('group', { name: 'Assistance for Adult 2' }));
  await user.click(bo.getByRole('checkbox', { name: 'Deaf or hard of hearing' }));
  expect(screen.queryByText(/hours’ notice/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save request' }));
  expect(await screen.findByText(CHANGE)).toBeTruthy();
  expect(sent).toEqual([{ assistance: [{ traveler: 2, needs: ['hearing'], note: '' }] }]);
});
