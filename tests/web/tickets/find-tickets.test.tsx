import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearDraft } from '#web/tickets/draft.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { openOffice, visit } from './office.tsx';

const user = userEvent.setup();

beforeEach(() => {
  openPage(`${TICKETS}/`);
  clearDraft();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('any other address leads to the page that is not there, and from it to the tickets', async () => {
  openOffice();
  const { router } = await visit('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeDefined();
  expect(router.state.location.pathname).toBe('/404');
  await user.click(screen.getByRole('link', { name: 'Find my tickets' }));
  expect(await screen.findByLabelText('Order reference')).toBeDefined();
});

test('the look-up answers the same whoever asks', async () => {
  const office = openOffice({ 'POST /api/orders/lookup': () => success(null) });
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Order reference'), ' 2nwb-2wmb ');
  await user.type(screen.getByLabelText('Email used for the order'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByText(/If the reference and the email address belong together/)).toBeDefined();
  expect(office.to('POST /api/orders/lookup')[0]?.body).toEqual({
    reference: '2NWB-2WMB',
    email: 'ada@example.com',
  });
});

test('an incomplete look-up is not sent', async () => {
  const office = openOffice();
  await visit('/?find=1');
  await user.type(await screen.findByLabelText('Email used for the order'), 'ada');
  await user.click(screen.getByRole('button', { name: 'Email me the link' }));
  expect(await screen.findByRole('link', { name: /Enter the reference/ })).toBeDefined();
  await waitFor(() => expect(office.to('POST /api/orders/lookup')).toHaveLength(0));
});
