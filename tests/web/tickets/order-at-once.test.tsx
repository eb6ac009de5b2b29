import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { profileStore } from '#web/platform/account/profile.ts';
import { buildPageConfig, openPage, TICKETS } from '../platform/page.ts';
import { answerApi, buildCustomer, currentDraft, currentPurchase, refusal, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  openTickets('pay_button');
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  profileStore.set({
    customer: buildCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' }),
    loaded: true,
  });
});
afterEach(() => {
  cleanup();
  profileStore.set({ customer: buildCustomer({}), loaded: false });
  vi.unstubAllGlobals();
});

function openTickets(acceptance: 'checkbox' | 'pay_button') {
  const { settings } = buildPageConfig();
  openPage(`${TICKETS}/orders/new`, { settings: { ...settings, terms: { ...settings.terms, acceptance } } });
}

async function continueFromSailing() {
  await visit('/orders/new');
  await press('Show sailings');
  await press(/^Choose the /);
  await screen.findByText('No refund.');
  await press('Continue');
}

describe('a signed-in customer', () => {
  test('who travels alone goes from the sailing to the payment, which shows the address for the tickets', async () => {
    const api = answerApi();
    await continueFromSailing();
    await screen.findByRole('heading', { name: 'Payment' });
    expect(api.to('POST /api/orders')[0]?.body).toMatchObject({
      contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
      terms_version: '1',
    });
    expect(screen.getByText('ada@example.com')).toBeDefined();
    await press('Change');
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', 'ada@example.com');
  });

  test('is asked for the details if ordering with the known ones fails', async () => {
    answerApi({ 'POST /api/orders': () => refusal('hold_expired', 'Too late.') });
    await continueFromSailing();
    expect(await screen.findByRole('heading', { name: 'Your details' })).toBeDefined();
    expect(screen.getByLabelText('Email')).toHaveProperty('value', 'ada@example.com');
    expect(currentDraft().orderId).toBeNull();
  });

  test('who travels with others, or has to accept the terms by a checkbox, is asked for the details', async () => {
    const api = answerApi();
    openTickets('checkbox');
    await continueFromSailing();
    await screen.findByRole('heading', { name: 'Your details' });
    cleanup();
    currentPurchase().clear();
    openTickets('pay_button');
    await visit('/orders/new');
    await press(/^More: Adult/);
    await press('Show sailings');
    await press(/^Choose the /);
    await screen.findByText('No refund.');
    await press('Continue');
    await screen.findByRole('heading', { name: 'Your details' });
    expect(api.to('POST /api/orders')).toEqual([]);
  });

  test('whose profile has no name is asked for the details', async () => {
    const api = answerApi();
    profileStore.set({ customer: buildCustomer({ name: '', email: 'ada@example.com' }), loaded: true });
    await continueFromSailing();
    await screen.findByRole('heading', { name: 'Your details' });
    expect(api.to('POST /api/orders')).toEqual([]);
  });
});
