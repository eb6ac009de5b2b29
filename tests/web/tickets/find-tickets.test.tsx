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

test('any other address leads to the page that is not there, and from it to the tickets', async () => {
  answerApi();
  const { router } = await visit('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
  await waitFor(() => expect(document.title).toBe('Page not found | Sound Ferries'));
  expect(router.state.location.pathname).toBe('/404');
  await user.click(screen.getByRole('link', { name: 'Find my tickets' }));
  expect(await screen.findByLabelText('Order reference')).toBeDefined();
});

test('the look-up answers the same whoever asks', async () => {
  const office = answerApi({ 'POST /api/orders/lookup': () => success(null) });
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Order reference'), ' 2nwb-2wmb ');
  await user.type(screen.getByLabelText('Email used for the order'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByText(/If the reference and email match an order/)).toBeDefined();
  expect(office.to('POST /api/orders/lookup')[0]?.body).toEqual({
    reference: '2NWB-2WMB',
    email: 'ada@example.com',
  });
});

test('what is typed stays while the timetable, which could not be loaded, is asked for again', async () => {
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

test('the way to the tickets does not come before the timetable, above which it would have to give way', async () => {
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

test('an incomplete look-up is not sent', async () => {
  const office = answerApi();
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Email used for the order'), 'ada');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByRole('link', { name: /Enter the reference/ })).toBeDefined();
  await waitFor(() => expect(office.to('POST /api/orders/lookup')).toHaveLength(0));
});
