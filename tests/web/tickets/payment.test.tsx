import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { declineTexts } from '#contract/payments/declines.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { currentSettings } from '#web/platform/settings/settings.ts';
import { busyReasons } from '#web/platform/updates/busy.ts';
import { buildOrder } from '../features/orders.ts';
import { buildPageConfig, json, openPage, success, TICKETS } from '../platform/page.ts';
import { closeCardProvider, openCardProvider } from './card-provider.ts';
import {
  answerApi,
  buildHold,
  buildPayment,
  buildQuote,
  buildSailing,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  type Request,
  refusal,
  visit,
} from './visit-tickets.tsx';

const user = userEvent.setup();
const PAYMENT = 'GET /api/orders/ord_1/payments/pay_1';
const ORDER = 'GET /api/orders/ord_1';
const CONFIRMATION = '/orders/ord_1/confirmation';

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

async function openPayment() {
  changeDraft({ orderId: 'ord_1', hasSearched: true });
  const view = await visit('/?step=pay');
  await payButton();
  return view;
}

function answerWithPaidOrder() {
  return answerApi({
    [PAYMENT]: () => success(buildPayment({ status: 'succeeded' })),
    [ORDER]: () => success(isConfirmed ? buildOrder() : buildUnpaidOrder()),
  });
}
let isConfirmed = false;
beforeEach(() => {
  isConfirmed = false;
});

test('a successful payment leads to the confirmation, from which "back" does not return to the payment', async () => {
  const provider = openCardProvider();
  const api = answerWithPaidOrder();
  const { router } = await openPayment();
  expect(screen.getByText('4242 4242 4242 4242')).toBeDefined();
  expect(provider.secrets).toContain('pi_1_secret_1');
  expect(busyReasons()).toContain('payment open');
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isConfirmed = true;
  await user.click(await payButton());
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION));
  expect(await screen.findByRole('heading', { level: 1, name: / → / })).toBeDefined();
  expect(provider.confirmed[0]?.return_url).toBe(`${TICKETS}${CONFIRMATION}`);
  expect(api.to('POST /api/orders/ord_1/payments')).toHaveLength(1);
  await waitFor(() => expect(currentDraft().orderId).toBeNull());
});

test('a decline is shown beside the form, and another try uses the same order and payment', async () => {
  const provider = openCardProvider();
  const api = answerWithPaidOrder();
  const { router } = await openPayment();
  provider.next({ error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } });
  await user.click(await payButton());
  expect(await screen.findByText(declineTexts.card_declined)).toBeDefined();
  expect(currentDraft().isPaymentOpen).toBe(false);
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isConfirmed = true;
  await user.click(await payButton());
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION));
  expect(provider.confirmed).toHaveLength(2);
  expect(api.to('POST /api/orders/ord_1/payments')).toHaveLength(1);
  expect(api.to('POST /api/orders')).toHaveLength(0);
});

test.each([
  [
    { code: 'card_declined', decline_code: 'insufficient_funds' },
    'There is not enough money for this on your card. You have not been charged. Try another card.',
  ],
  [
    { code: 'incorrect_cvc' },
    'The security code is not right. You have not been charged. Check the code on your card and try again.',
  ],
  [{ code: 'card_declined', decline_code: 'stolen_card' }, declineTexts.card_declined],
])('the decline %o explains that nothing was charged and what to try next', async (reason, text) => {
  const provider = openCardProvider();
  answerApi();
  await openPayment();
  provider.next({ error: { type: 'card_error', message: 'The provider’s words.', ...reason } });
  await user.click(await payButton());
  expect(await screen.findByText(text)).toBeDefined();
});

describe('a boat that is canceled while the form is open', () => {
  const canceled = () => {
    const order = buildUnpaidOrder();
    return { ...order, legs: order.legs.map((leg) => ({ ...leg, status: 'canceled' as const })) };
  };

  test('is named when the customer presses the button, and no card is charged', async () => {
    const provider = openCardProvider();
    let isCanceled = false;
    answerApi({ [ORDER]: () => success(isCanceled ? canceled() : buildUnpaidOrder()) });
    changeDraft({ buyerSecret: 'secret-of-this-tab' });
    await openPayment();
    isCanceled = true;
    await user.click(await payButton());
    expect(await screen.findByText('Your sailing has been canceled')).toBeDefined();
    expect(screen.getByText('You have not been charged. Choose another sailing.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Cancel and choose another sailing' })).toBeDefined();
    expect(provider.confirmed).toHaveLength(0);
  });

  test('is named without a press within half a minute', async () => {
    openCardProvider();
    let isCanceled = false;
    answerApi({ [ORDER]: () => success(isCanceled ? canceled() : buildUnpaidOrder()) });
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      shouldAdvanceTime: true,
    });
    await openPayment();
    isCanceled = true;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(await screen.findByText('Your sailing has been canceled')).toBeDefined();
  });
});

test('an incomplete card form is not sent', async () => {
  const provider = openCardProvider();
  answerApi();
  await openPayment();
  provider.submitError = { type: 'validation_error', message: 'Your card number is incomplete.' };
  await user.click(await payButton());
  expect(await screen.findByText('Your card number is incomplete.')).toBeDefined();
  expect(provider.confirmed).toHaveLength(0);
});

test('after a lost answer the screen says not to pay again, and finds out the outcome', async () => {
  const provider = openCardProvider();
  provider.intent = { status: 'processing' };
  let status = 'created';
  answerApi({
    [PAYMENT]: () => success(buildPayment({ status })),
    [ORDER]: () => success(status === 'succeeded' ? buildOrder() : buildUnpaidOrder()),
  });
  const { router } = await openPayment();
  provider.next(new TypeError('Failed to fetch'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  await act(async () => screen.getByRole('button', { name: /^Pay/ }).click());
  await act(() => vi.advanceTimersByTimeAsync(100));
  await act(() => vi.advanceTimersByTimeAsync(16_000));
  expect(screen.getByText('We’re still checking your payment. Please don’t pay again.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  expect(currentDraft().isPaymentOpen).toBe(true);
  status = 'succeeded';
  await act(() => vi.advanceTimersByTimeAsync(3000));
  vi.useRealTimers();
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION));
});

test('a lost answer that turns out to be a refusal offers another try', async () => {
  const provider = openCardProvider();
  answerApi({
    [PAYMENT]: () =>
      success(
        buildPayment({
          status: 'failed',
          failure: {
            code: 'card_declined',
            message:
              'Your card was declined. You have not been charged. Try another card, or call your bank.',
          },
        }),
      ),
  });
  await openPayment();
  provider.next({ error: { type: 'api_connection_error', message: 'Network' } });
  await user.click(await payButton());
  expect(
    await screen.findByText(
      'Your card was declined. You have not been charged. Try another card, or call your bank.',
    ),
  ).toBeDefined();
  expect(await payButton()).toBeDefined();
});

test('the failure of the previous try is not taken for the outcome of the current one', async () => {
  const provider = openCardProvider();
  const api = answerApi({
    [PAYMENT]: () =>
      success(buildPayment({ status: 'failed', failure: { code: 'card_declined', message: 'Old news.' } })),
  });
  await openPayment();
  provider.next({ paymentIntent: { status: 'succeeded' } });
  await user.click(await payButton());
  await waitFor(() => expect(api.to(PAYMENT).length).toBeGreaterThan(0));
  expect(screen.queryByText('Old news.')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
});

test('a reload during a payment finds out its outcome before anything can be paid', async () => {
  const provider = openCardProvider();
  provider.intent = { status: 'processing' };
  changeDraft({ orderId: 'ord_1', paymentId: 'pay_1', isPaymentOpen: true });
  answerApi();
  await visit('/?step=pay');
  expect(await screen.findByText('Waiting for your bank’s answer…')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
});

test('a reload during the bank’s check charges nothing yet, and lets the customer try again', async () => {
  const provider = openCardProvider();
  provider.intent = { status: 'requires_action' };
  changeDraft({ orderId: 'ord_1', paymentId: 'pay_1', isPaymentOpen: true });
  answerApi();
  await visit('/?step=pay');
  expect(await screen.findByText('Your bank needs to check it’s you')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Do not pay' }));
  expect(await payButton()).toBeDefined();
});

test('a bank’s check that is passed elsewhere ends at the tickets', async () => {
  const provider = openCardProvider();
  provider.intent = { status: 'requires_action' };
  changeDraft({ orderId: 'ord_1', paymentId: 'pay_1', isPaymentOpen: true });
  let status = 'requires_action';
  answerApi({ [PAYMENT]: () => success(buildPayment({ status })) });
  const { router } = await visit('/?step=pay');
  expect(await screen.findByText('Your bank needs to check it’s you')).toBeDefined();
  status = 'succeeded';
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), { timeout: 5000 });
});

test('a paid order leads directly to its confirmation', async () => {
  openCardProvider();
  changeDraft({ orderId: 'ord_1' });
  answerApi({ [ORDER]: () => success(buildOrder()) });
  const { router } = await visit('/?step=pay');
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION));
});

const LAPSED = 'Your hold expired. Your trip is still here. Tap Continue to try again.';
const OTHER_ORDER = { id: 'ord_2', reference: 'ORD2-ORD2' };

/** The draft's order has expired. The next order has another id and another payment. */
function answerWithExpiredOrder(
  holdAgain: (request: Request) => Response,
  order: Partial<Order> = OTHER_ORDER,
) {
  const other = () => success(buildUnpaidOrder(order));
  return answerApi({
    [ORDER]: () => success(buildUnpaidOrder({ status: 'expired', hold: null })),
    'POST /api/holds': holdAgain,
    'POST /api/orders': other,
    'GET /api/orders/ord_2': other,
    'POST /api/orders/ord_2/payments': () =>
      success(buildPayment({ id: 'pay_2', client_secret: 'pi_2_secret_2' })),
    'GET /api/sailings/sai_out2': () => success(buildSailing('sai_out2')),
  });
}

async function visitExpiredOrder() {
  const hold = { id: 'hld_1', expiresAt: '2020-01-01T00:00:00Z', canExtend: false, clockOffset: 0 };
  const contact = { name: 'Ada', email: 'ada@example.com', phone: '' };
  changeDraft({
    hasSearched: true,
    quote: camelCased(buildQuote()),
    outward: camelCased(buildSailing('sai_out1')),
    fareClass: 'saver',
    hold,
    contact,
    travelerNames: { 'Adult 1': 'Bo' },
    acceptedTerms: currentSettings().terms.version,
    orderId: 'ord_1',
  });
  const view = await visit('/?step=pay');
  await screen.findByText(LAPSED);
  return view;
}

test('one press holds the places of an expired order again and leads back to the payment with the same details', async () => {
  const provider = openCardProvider();
  const api = answerWithExpiredOrder(() => success(buildHold({ id: 'hld_2' })));
  const { router } = await visitExpiredOrder();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await payButton();
  expect(screen.getByRole('heading', { name: 'Order ORD2-ORD2' })).toBeDefined();
  expect(screen.queryByText(LAPSED)).toBeNull();
  expect(new Set(provider.secrets)).toEqual(new Set(['pi_2_secret_2']));
  expect(router.state.location.search).toBe('?step=pay');
  expect(api.to('POST /api/orders').map(({ body }) => body)).toMatchObject([
    { hold_id: 'hld_2', contact: { name: 'Ada', email: 'ada@example.com' }, traveler_names: ['Bo'] },
  ]);
  expect(currentDraft()).toMatchObject({ orderId: 'ord_2', hold: { id: 'hld_2' } });
});

test('a hold that expires while a card is entered offers to continue at once', async () => {
  openCardProvider();
  let status: Order['status'] = 'held';
  answerApi({
    [ORDER]: () => success(buildUnpaidOrder({ status, hold: null })),
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  changeDraft({
    quote: camelCased(buildQuote()),
    hold: { id: 'hld_1', expiresAt, canExtend: false, clockOffset: 0 },
  });
  await openPayment();
  status = 'expired';
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByText(LAPSED)).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Continue' })).toBeDefined();
});

test('a price that changed when places are held again is ordered only after it is accepted', async () => {
  openCardProvider();
  const higherQuote = buildQuote({ id: 'quote-000000000000000000002', total: 2450 });
  const api = answerWithExpiredOrder(
    ({ body }) =>
      body.quote_id === higherQuote.id
        ? success(buildHold({ id: 'hld_2' }))
        : refusal('price_changed', 'The price has changed.', { details: { quote: higherQuote } }),
    { ...OTHER_ORDER, total: 2450 },
  );
  await visitExpiredOrder();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText(/It was \$18\.50 and is now \$24\.50/)).toBeDefined();
  expect(api.to('POST /api/orders')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Accept and continue' }));
  await waitFor(() => expect(currentDraft().orderId).toBe('ord_2'));
  expect(api.to('POST /api/holds')).toHaveLength(2);
});

test('a sold-out sailing leads to the sailings that still have room', async () => {
  openCardProvider();
  answerWithExpiredOrder(() =>
    refusal('sold_out', 'Those places are gone.', {
      details: { resource: 'passenger', sailing_id: 'sai_out1', alternatives: [{ sailing_id: 'sai_out2' }] },
    }),
  );
  await visitExpiredOrder();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Those places were just taken')).toBeDefined();
  expect(await screen.findByRole('list', { name: 'Sailings with room for your party' })).toBeDefined();
  expect(currentDraft()).toMatchObject({ orderId: null, contact: { name: 'Ada' } });
});

test('an expired order without personal data in this tab asks for the details again', async () => {
  openCardProvider();
  answerWithExpiredOrder(() => success(buildHold({ id: 'hld_2' })));
  await visitExpiredOrder();
  changeDraft({ contact: { name: '', email: '', phone: '' } });
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByRole('heading', { name: 'Your details' })).toBeDefined();
  expect(currentDraft()).toMatchObject({ orderId: null, hold: { id: 'hld_2' } });
});

test('an expired order opened from its link leads to the trip', async () => {
  openCardProvider();
  changeDraft({ orderId: 'ord_1' });
  answerApi({ [ORDER]: () => success(buildUnpaidOrder({ status: 'expired' })) });
  await visit('/?step=pay');
  expect(await screen.findByText('Your hold expired')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Choose a sailing' }));
  expect(await screen.findByRole('button', { name: 'Show sailings' })).toBeDefined();
});

test('a payment that cannot be started shows the server’s message', async () => {
  openCardProvider();
  changeDraft({ orderId: 'ord_1' });
  answerApi({
    'POST /api/orders/ord_1/payments': () => refusal('order_blocked', 'Too many declined cards.'),
  });
  await visit('/?step=pay');
  expect(await screen.findByText('Too many declined cards.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('canceling the order proves the buyer and releases the places', async () => {
  openCardProvider();
  changeDraft({ buyerSecret: 'secret-of-this-tab' });
  const api = answerApi({
    'POST /api/orders/ord_1/cancel': () => success(buildUnpaidOrder({ status: 'canceled' })),
  });
  await openPayment();
  await user.click(screen.getByRole('button', { name: 'Cancel and choose another sailing' }));
  expect(await screen.findByText(/nothing was charged/)).toBeDefined();
  expect(api.to('POST /api/orders/ord_1/cancel')).toMatchObject([
    { key: expect.stringMatching(/^[0-9a-f-]{36}$/), body: { buyer_secret: 'secret-of-this-tab' } },
  ]);
  expect(currentDraft()).toMatchObject({ orderId: null, buyerSecret: null });
});

test('a payer who only has the link cannot cancel the order', async () => {
  openCardProvider();
  answerApi({});
  await openPayment();
  expect(screen.queryByRole('button', { name: 'Cancel and choose another sailing' })).toBeNull();
});

describe('terms accepted by the pay button', () => {
  const { settings } = buildPageConfig();

  beforeEach(() => {
    const terms = { ...settings.terms, acceptance: 'pay_button' as const };
    openPage(`${TICKETS}/`, { settings: { ...settings, terms } });
  });

  test('are shown beside the button, without a checkbox', async () => {
    openCardProvider();
    answerApi();
    const { container } = await openPayment();
    expect(container.textContent).toContain('By paying you accept the terms.');
    await user.click(screen.getByRole('button', { name: 'terms' }));
    expect(await screen.findByText('Be kind.')).toBeDefined();
  });

  test('are recorded on the order with their version', async () => {
    openCardProvider();
    const api = answerWithExpiredOrder(() => success(buildHold({ id: 'hld_2' })));
    await visitExpiredOrder();
    changeDraft({ acceptedTerms: null });
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await payButton();
    expect(api.to('POST /api/orders').map(({ body }) => body.terms_version)).toEqual(['1']);
  });

  test('are fetched when they are outdated, and the order is sent again with the new version', async () => {
    openCardProvider();
    const api = answerWithExpiredOrder(() => success(buildHold({ id: 'hld_2' })));
    const newer = { ...settings.terms, version: '2', acceptance: 'pay_button' };
    api.answers['GET /public/settings/web.json'] = () => json({ terms: newer });
    api.answers['POST /api/orders'] = ({ body }) =>
      body.terms_version === '2'
        ? success(buildUnpaidOrder(OTHER_ORDER))
        : refusal('terms_outdated', 'Our terms have changed.');
    await visitExpiredOrder();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await payButton();
    expect(api.to('POST /api/orders').map(({ body }) => body.terms_version)).toEqual(['1', '2']);
  });
});

test('with a checkbox for the terms, the pay button has no sentence about them', async () => {
  openCardProvider();
  answerApi();
  const { container } = await openPayment();
  expect(container.textContent).not.toContain('By paying');
});
