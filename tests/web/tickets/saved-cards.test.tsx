import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import { startSession } from '#web/platform/session/session.ts';
import { buildPaymentCard } from '../features/build-payment-card.ts';
import { buildOrder } from '../features/orders.ts';
import { json, openPage, success, TICKETS, TOKEN } from '../platform/page.ts';
import { closeCardProvider, openCardProvider } from './card-provider.ts';
import {
  answerApi,
  buildPayment,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

const user = userEvent.setup();
const CARDS = 'GET /api/customers/payment_cards';
const PAY = 'POST /api/orders/ord_1/payments';
const PAYMENT = 'GET /api/orders/ord_1/payments/pay_1';
const ORDER = 'GET /api/orders/ord_1';
const CONFIRMATION = '/orders/ord_1/confirmation';
/** The confirmation's code must be loaded first. */
const PATIENT = { timeout: 10_000 };

const visa = buildPaymentCard({ primary: true });
const mastercard = buildPaymentCard({
  id: 'pcd_00000000000000000000000002',
  network: 'mastercard',
  last_four: '4444',
});
const old = buildPaymentCard({ id: 'pcd_00000000000000000000000003', last_four: '0005', expired: true });

let isPaid: boolean;
let charge: () => Response;

beforeEach(() => {
  openPage(`${TICKETS}/`);
  startSession(TOKEN);
  openCardProvider();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  isPaid = false;
  charge = () => {
    isPaid = true;
    return started('succeeded');
  };
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.unstubAllGlobals();
});

const payButton = () => screen.findByRole('button', { name: /^Pay \$18\.50/ });
const started = (status: string) => success({ ...buildPayment({ status }), client_secret: 'pi_1_secret_1' });

async function openPayment(cards: readonly PaymentCard[] | Response) {
  const list = () =>
    cards instanceof Response
      ? cards
      : success(cards, { meta: { page: 1, page_size: 10, total_pages: 1, total_count: cards.length } });
  const api = answerApi({
    [CARDS]: list,
    'GET /api/customers/sessions/ping': () => json({ success: true, errorCode: null }),
    'GET /api/customers/details': () =>
      json({ success: true, id: 'cus_1', email: 'a@example.com', name: 'A' }),
    [PAY]: ({ body }: { body: unknown }) =>
      typeof body === 'object' && body !== null && 'payment_card_id' in body ? charge() : started('created'),
    [PAYMENT]: () => success(buildPayment({ status: isPaid ? 'succeeded' : 'created' })),
    [ORDER]: () => success(isPaid ? buildOrder() : buildUnpaidOrder()),
  });
  changeDraft({ orderId: 'ord_1', hasSearched: true });
  const view = await visit('/?step=pay');
  await payButton();
  return { api, ...view };
}

const charges = (api: Awaited<ReturnType<typeof openPayment>>['api']) =>
  api.to(PAY).filter(({ body }) => JSON.stringify(body).includes('payment_card_id'));

test('the primary card is preselected, expired cards are not offered, and one press pays', async () => {
  const { api, router } = await openPayment([visa, mastercard, old]);
  expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).checked)).toEqual([
    true,
    false,
    false,
  ]);
  expect(screen.getByRole('radio', { name: 'Visa ending in 4242' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Mastercard ending in 4444' }));
  await user.click(await payButton());
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  expect(charges(api).map(({ body }) => body)).toEqual([{ method: 'card', payment_card_id: mastercard.id }]);
});

test('a payment confirmed with the bank succeeds', async () => {
  const provider = openCardProvider();
  charge = () => started('requires_action');
  const { router } = await openPayment([visa]);
  provider.next({ error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' } });
  await user.click(await payButton());
  expect(await screen.findByText(/could not confirm that it was you/)).toBeTruthy();
  expect(currentDraft().isPaymentOpen).toBe(false);
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isPaid = true;
  await user.click(await payButton());
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
});

test('a decline shows the server’s message, and each press uses a new idempotency key', async () => {
  charge = () =>
    refusal(
      'card_declined',
      'Your card was declined. You have not been charged. Try another card, or call your bank.',
    );
  const { api } = await openPayment([visa]);
  await user.click(await payButton());
  expect(
    await screen.findByText(
      'Your card was declined. You have not been charged. Try another card, or call your bank.',
    ),
  ).toBeTruthy();
  await user.click(await payButton());
  await waitFor(() => expect(charges(api)).toHaveLength(2));
  const [first, second] = charges(api);
  expect(first?.key).not.toBe(second?.key);
});

test('a lost answer does not lead to a second payment, and the outcome is found out', async () => {
  const provider = openCardProvider();
  provider.intent = { status: 'processing' };
  charge = () => {
    throw new TypeError('Failed to fetch');
  };
  const { api, router } = await openPayment([visa]);
  await user.click(await payButton());
  expect(await screen.findByText('Waiting for your bank’s answer…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  expect(charges(api)).toHaveLength(1);
  isPaid = true;
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
});

test('another card can be entered, and is saved only on request', async () => {
  const provider = openCardProvider();
  const { api } = await openPayment([visa]);
  await user.click(screen.getByRole('radio', { name: 'Another card' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Save this card for next time' }));
  provider.next({ error: { type: 'card_error', message: 'Your card was declined.' } });
  await user.click(await payButton());
  expect(
    await screen.findByText(
      'Your card was declined. You have not been charged. Try another card, or call your bank.',
    ),
  ).toBeTruthy();
  expect(api.to(PAY).at(-1)?.body).toEqual({ method: 'card', save_card: true });
  expect(provider.fetchedUpdates).toBe(1);
  const agreed = { payment_method_data: { allow_redisplay: 'always' } };
  expect(provider.confirmed[0]).toMatchObject(agreed);
  await user.click(screen.getByRole('checkbox', { name: 'Save this card for next time' }));
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isPaid = true;
  await user.click(await payButton());
  await waitFor(() => expect(api.to(PAY).at(-1)?.body).toEqual({ method: 'card', save_card: false }));
  await waitFor(() => expect(provider.confirmed).toHaveLength(2));
  expect(provider.confirmed[1]).not.toHaveProperty('payment_method_data');
});

test.each([
  ['no saved card', () => []],
  ['only an expired one', () => [old]],
  ['cards that cannot be loaded', () => refusal('internal_server_error', 'Down.')],
])('with %s the card form is shown', async (_, cards) => {
  openCardProvider();
  await openPayment(cards());
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.getByRole('checkbox', { name: 'Save this card for next time' })).toBeTruthy();
});

test('a visitor’s saved cards are not requested, and saving is not offered', async () => {
  openPage(`${TICKETS}/`);
  openCardProvider();
  const { api } = await openPayment([visa]);
  expect(api.to(CARDS)).toEqual([]);
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
});
