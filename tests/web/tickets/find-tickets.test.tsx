import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json, openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, buildCatalogue, visit } from './visit-tickets.tsx';

const user = userEvent.setup();

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('an unknown address shows "Page not found", which links to the tickets', async () => {
  answerApi();
  const { router } = await visit('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  await waitFor(() => expect(document.title).toBe('Page not found | Sound Ferries'));
  expect(router.state.location.pathname).toBe('/404');
  await user.click(screen.getByRole('link', { name: 'Find my tickets' }));
  expect(await screen.findByLabelText('Order reference')).toBeDefined();
});

test('the look-up shows the same answer whether or not an order matches', async () => {
  const api = answerApi({ 'POST /api/orders/lookup': () => success(null) });
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Order reference'), ' 2nwb-2wmb ');
  await user.type(screen.getByLabelText('Email used for the order'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByText(/If the reference and email match an order/)).toBeDefined();
  expect(api.to('POST /api/orders/lookup')[0]?.body).toEqual({
    reference: '2NWB-2WMB',
    email: 'ada@example.com',
  });
});

test('typed input stays while a timetable that failed to load is fetched again', async () => {
  let answer = (_response: Response) => {};
  let isFirst = true;
  answerApi({
    'GET /api/catalogue': () => {
      if (isFirst) return json({}, 422);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  await visit('/?find=1');
  const field = await screen.findByLabelText('Order reference');
  await user.type(field, '2nwb');
  isFirst = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Loading…')).toBeDefined();
  answer(success(buildCatalogue()));
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Order reference').value).toBe('2nwb');
  expect(field.isConnected).toBe(true);
});

test('the look-up appears only after the timetable, so that it does not move', async () => {
  let answer = (_response: Response) => {};
  answerApi({
    'GET /api/catalogue': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await visit('/');
  expect(await screen.findByText('Loading…')).toBeDefined();
  expect(screen.queryByText(/Find my tickets/)).toBeNull();
  answer(success(buildCatalogue()));
  expect(await screen.findByText(/Find my tickets/)).toBeDefined();
});

test('an incomplete look-up is not sent and shows its errors', async () => {
  const api = answerApi();
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Email used for the order'), 'ada');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByRole('link', { name: /Enter the reference/ })).toBeDefined();
  await waitFor(() => expect(api.to('POST /api/orders/lookup')).toHaveLength(0));
});
