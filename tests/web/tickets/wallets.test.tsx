import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { declineTexts } from '#contract/payments/declines.ts';
import { startSession } from '#web/platform/session/session.ts';
import { buildPaymentCard } from '../features/build-payment-card.ts';
import { buildOrder } from '../features/orders.ts';
import { buildPageConfig, json, openPage, success, TICKETS, TOKEN } from '../platform/page.ts';
import { closeCardProvider, openCardProvider } from './card-provider.ts';
import {
  answerApi,
  buildPayment,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  visit,
} from './visit-tickets.tsx';

const user = userEvent.setup();
const PAYMENTS = 'POST /api/orders/ord_1/payments';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const payButton = () => screen.findByRole('button', { name: /^Pay \$18\.50/ });
const walletsOf = (container: HTMLElement) => container.querySelector('[class*="above"], [class*="below"]');

function openWalletProvider() {
  const provider = openCardProvider();
  provider.wallets = { googlePay: true };
  return provider;
}

async function openPayment() {
  changeDraft({ orderId: 'ord_1', hasSearched: true });
  const view = await visit('/?step=pay');
  await payButton();
  return view;
}

test('a confirmed wallet pays the order with the started payment and leads to the tickets', async () => {
  const provider = openWalletProvider();
  let isPaid = false;
  const api = answerApi({
    'GET /api/orders/ord_1': () => success(isPaid ? buildOrder() : buildUnpaidOrder()),
    'GET /api/orders/ord_1/payments/pay_1': () => success(buildPayment({ status: 'succeeded' })),
  });
  const { router, container } = await openPayment();
  await waitFor(() => expect(walletsOf(container)).not.toBeNull());
  act(() => provider.pressWallet());
  expect(provider.answers).toEqual(['opened']);
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isPaid = true;
  act(() => provider.confirmInWallet());
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders/ord_1/confirmation'));
  expect(provider.confirmed).toHaveLength(1);
  expect(provider.failedInWallet).toBe(0);
  expect(api.to(PAYMENTS)).toHaveLength(1);
});

test('without a wallet only the card form is shown', async () => {
  openCardProvider();
  answerApi();
  const { container } = await openPayment();
  await waitFor(() => expect(screen.queryByText('Loading the card form…')).toBeNull());
  expect(walletsOf(container)).toBeNull();
});

test('the card form is shown after four seconds if the wallets do not answer, and stays', async () => {
  const provider = openCardProvider();
  provider.wallets = null;
  answerApi();
  changeDraft({ orderId: 'ord_1', hasSearched: true });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { container } = await visit('/?step=pay');
  await payButton();
  expect(screen.getByText('Loading the card form…')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(4000));
  expect(screen.queryByText('Loading the card form…')).toBeNull();
  act(() => provider.sayWallets({ googlePay: true }));
  expect(walletsOf(container)).toBeNull();
});

test('closing a wallet leaves the order unchanged and ready for another try', async () => {
  const provider = openWalletProvider();
  const api = answerApi();
  await openPayment();
  act(() => provider.pressWallet());
  act(() => provider.pressWallet());
  expect(provider.answers).toEqual(['opened', 'opened']);
  expect(provider.confirmed).toHaveLength(0);
  expect(currentDraft().isPaymentOpen).toBe(false);
  expect(api.to(PAYMENTS)).toHaveLength(1);
});

test('a decline is reported to the wallet and shown beside the form, and another card pays', async () => {
  const provider = openWalletProvider();
  answerApi();
  await openPayment();
  provider.next({ error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } });
  act(() => provider.confirmInWallet());
  expect(await screen.findByText(declineTexts.card_declined)).toBeDefined();
  expect(provider.failedInWallet).toBe(1);
  expect(currentDraft().isPaymentOpen).toBe(false);
  provider.next({ error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } });
  await user.click(await payButton());
  await waitFor(() => expect(provider.confirmed).toHaveLength(2));
  expect(provider.failedInWallet).toBe(1);
});

test('the outcome of a wallet payment with a lost answer is found out, and paying again is not offered', async () => {
  const provider = openWalletProvider();
  provider.intent = { status: 'processing' };
  answerApi();
  await openPayment();
  provider.next(new TypeError('Failed to fetch'));
  act(() => provider.confirmInWallet());
  expect(await screen.findByText('Waiting for your bank’s answer…')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  expect(currentDraft().isPaymentOpen).toBe(true);
});

test('no wallet opens while a card is charged', async () => {
  const provider = openWalletProvider();
  answerApi();
  await openPayment();
  provider.next(new Promise(() => undefined));
  await user.click(await payButton());
  act(() => provider.pressWallet());
  act(() => provider.confirmInWallet());
  expect(provider.answers).toEqual(['rejected']);
  expect(provider.failedInWallet).toBe(1);
  expect(provider.confirmed).toHaveLength(1);
});

test('where paying accepts the terms, the sentence is also shown beside the wallets', async () => {
  const { settings } = buildPageConfig();
  const terms = { ...settings.terms, acceptance: 'pay_button' as const };
  openPage(`${TICKETS}/`, { settings: { ...settings, terms } });
  openWalletProvider();
  answerApi();
  const { container } = await openPayment();
  await waitFor(() => expect(walletsOf(container)?.textContent).toContain('By paying you accept the terms.'));
  expect(container.textContent?.match(/By paying you accept the terms\./g)).toHaveLength(1);
});

describe('for a customer with a saved card', () => {
  const visa = buildPaymentCard({ primary: true });

  async function openPaymentOfCustomer() {
    startSession(TOKEN);
    const api = answerApi({
      'GET /api/customers/payment_cards': () =>
        success([visa], { meta: { page: 1, page_size: 10, total_pages: 1, total_count: 1 } }),
      'GET /api/customers/sessions/ping': () => json({ success: true, errorCode: null }),
      'GET /api/customers/details': () =>
        json({ success: true, id: 'cus_1', email: 'a@example.com', name: 'A' }),
    });
    return { api, ...(await openPayment()) };
  }

  test('the wallets are shown below the saved cards, without choosing another card first', async () => {
    const provider = openWalletProvider();
    const { container } = await openPaymentOfCustomer();
    await waitFor(() => expect(walletsOf(container)).not.toBeNull());
    const saved = screen.getByRole<HTMLInputElement>('radio', { name: 'Visa ending in 4242' });
    expect(saved.checked).toBe(true);
    const position = walletsOf(container)?.compareDocumentPosition(saved) ?? 0;
    expect(position & Node.DOCUMENT_POSITION_PRECEDING).toBeTruthy();
    provider.next(new Promise(() => undefined));
    act(() => provider.confirmInWallet());
    await waitFor(() => expect(provider.confirmed).toHaveLength(1));
  });

  test('the terms are shown once beside the wallets, whichever card is chosen', async () => {
    const { settings } = buildPageConfig();
    const terms = { ...settings.terms, acceptance: 'pay_button' as const };
    openPage(`${TICKETS}/`, { settings: { ...settings, terms } });
    openWalletProvider();
    const { container } = await openPaymentOfCustomer();
    const sentences = () => container.textContent?.match(/By paying you accept the terms\./g);
    await waitFor(() => expect(walletsOf(container)).not.toBeNull());
    expect(sentences()).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'Another card' }));
    await screen.findByRole('checkbox', { name: 'Save this card for next time' });
    expect(sentences()).toHaveLength(1);
  });

  test('the saved cards are shown at once, even if the wallets take long', async () => {
    const provider = openCardProvider();
    provider.wallets = null;
    const { container } = await openPaymentOfCustomer();
    expect(await screen.findByRole('radio', { name: 'Visa ending in 4242' })).toBeDefined();
    expect(screen.queryByText('Loading the card form…')).toBeNull();
    act(() => provider.sayWallets({ googlePay: true }));
    await waitFor(() => expect(walletsOf(container)).not.toBeNull());
  });

  test('neither another card nor a saved card is charged while a wallet pays', async () => {
    const provider = openWalletProvider();
    const { api } = await openPaymentOfCustomer();
    provider.next(new Promise(() => undefined));
    act(() => provider.confirmInWallet());
    await waitFor(() => expect(provider.confirmed).toHaveLength(1));
    await user.click(screen.getByRole('radio', { name: 'Another card' }));
    await user.click(screen.getByRole('button', { name: /^Pay/ }));
    expect(screen.queryByRole('checkbox', { name: 'Save this card for next time' })).toBeNull();
    expect(api.to(PAYMENTS).map(({ body }) => body)).toEqual([{ method: 'card' }]);
  });
});
