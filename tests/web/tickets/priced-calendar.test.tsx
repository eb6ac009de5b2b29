import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addDays } from '#domain/time/days.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { user } from './purchase-steps.ts';
import { answerApi, buildCatalogue, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openCalendar(field: 'Leave on' | 'Return on' = 'Leave on') {
  const buttons = await screen.findAllByRole('button', { name: /^Change date/ });
  const button = buttons[field === 'Leave on' ? 0 : 1];
  if (button) await user.click(button);
  return within(await screen.findByRole('dialog', { name: 'Choose a date' }));
}

function answerDays() {
  return answerApi({
    'GET /api/sailing_days': ({ query }) => {
      const day = (after: number, state: string, from_amount: number | null) => ({
        ...{ day: addDays(query.get('from') ?? '', after), state, from_amount, currency: 'USD' },
      });
      return success([
        day(0, 'on_sale', 925),
        day(1, 'full', null),
        day(2, 'none', null),
        day(3, 'on_sale', 2000),
      ]);
    },
    'GET /api/catalogue': () => success(buildCatalogue({ on_sale_from: '2026-12-01' })),
  });
}

test('the calendar shows the lowest price of each day of a month, or says why there is none', async () => {
  const api = answerDays();
  await visit('/');
  const calendar = await openCalendar();
  const name = (text: string) => calendar.findByRole('button', { name: text });
  expect((await name('Tuesday, December 1, 2026, from $9.25')).textContent).toBe('1$9.25');
  expect((await name('Wednesday, December 2, 2026, Sold out')).textContent).toBe('2–');
  await name('Thursday, December 3, 2026, No sailings');
  expect((await name('Friday, December 4, 2026, from $20.00')).textContent).toBe('4$20');
  await calendar.findByText('Prices are for your whole party, one way.');
  await user.click(calendar.getByRole('button', { name: 'Next month' }));
  await waitFor(() => expect(api.to('GET /api/sailing_days')).toHaveLength(2));
  await user.click(calendar.getByRole('button', { name: 'Previous month' }));
  await name('Tuesday, December 1, 2026, from $9.25');
  expect(
    api.to('GET /api/sailing_days').map(({ query }) => ['from', 'to'].map((key) => query.get(key))),
  ).toEqual([
    ['2026-12-01', '2027-01-09'],
    ['2026-12-27', '2027-02-06'],
  ]);
});

test('the calendar of the return shows the prices from the destination back', async () => {
  const api = answerDays();
  await visit('/');
  await user.click(await screen.findByRole('radio', { name: 'Return' }));
  await openCalendar('Return on');
  await waitFor(() => expect(api.to('GET /api/sailing_days')).toHaveLength(1));
  const [request] = api.to('GET /api/sailing_days');
  expect(request?.query.get('origin_port_id')).toBe('prt_b');
  expect(request?.query.get('destination_port_id')).toBe('prt_a');
});

test('without the length of the vehicle the calendar shows days alone', async () => {
  const api = answerDays();
  await visit('/');
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Vehicle' }), 'Car');
  const calendar = await openCalendar();
  await calendar.findByRole('button', { name: 'Tuesday, December 1, 2026' });
  expect(calendar.queryByText(/^Prices are/)).toBeNull();
  expect(api.to('GET /api/sailing_days')).toEqual([]);
});
