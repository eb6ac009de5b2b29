import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PassOffer } from '#contract/passes/schemas.ts';
import type { TripCard } from '#contract/trip-cards/schemas.ts';
import { startSession } from '#web/platform/session/session.ts';
import { buildOrder } from '../features/orders.ts';
import { json, openPage, success, TICKETS, TOKEN } from '../platform/page.ts';
import { buildTripCard } from '../portal/trip-cards/build-trip-card.ts';
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
const PAY = 'POST /api/orders/ord_1/payments';
const CONFIRMATION = '/orders/ord_1/confirmation';
/** The confirmation's code must be loaded first. */
const PATIENT = { timeout: 10_000 };
/** The order costs $18.50. */
const full = buildTripCard({ available: 3450 });
const small = buildTripCard({
  id: 'tcd_00000000000000000000000002',
  name: 'Small card',
  last_four: '0002',
  balance: 1000,
  available: 1000,
});
const partOfSmall = { trip_card_id: small.id, trip_card_amount: 1000 };

let isPaid: boolean;
let payWhole: () => Response;

beforeEach(() => {
  openPage(`${TICKETS}/`);
  startSession(TOKEN);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  isPaid = false;
  payWhole = () => {
    isPaid = true;
    return success({ ...buildPayment({ method: 'trip_card', status: 'succeeded' }), trip_card_amount: 0 });
  };
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.unstubAllGlobals();
});

type Begun = { method: string; trips?: number; trip_card_amount?: number };

/** The payment step of a signed-in customer without saved cards. */
async function openPayment(cards: readonly TripCard[], passes: readonly PassOffer[] = []) {
  const api = answerApi({
    'GET /api/customers/trip_cards': () =>
      success(cards, { meta: { page: 1, page_size: 20, total_pages: 1, total_count: cards.length } }),
    'GET /api/orders/ord_1/passes': () => success(passes),
    'GET /api/customers/payment_cards': () =>
      success([], { meta: { page: 1, page_size: 10, total_pages: 1, total_count: 0 } }),
    'GET /api/customers/sessions/ping': () => json({ success: true, errorCode: null }),
    'GET /api/customers/details': () =>
      json({ success: true, id: 'cus_1', email: 'a@example.com', name: 'A' }),
    [PAY]: ({ body }) => {
      const { method, trips, trip_card_amount: amount = 0 } = body as Begun;
      const part = passes.find((pass) => pass.trips === trips)?.amount ?? amount;
      if (method === 'trip_card') return payWhole();
      return success({
        ...buildPayment({ amount: 1850 - part }),
        trip_card_amount: part,
        client_secret: `pi_${part}_secret_1`,
      });
    },
    'GET /api/orders/ord_1/payments/pay_1': () =>
      success(buildPayment({ status: isPaid ? 'succeeded' : 'created' })),
    'GET /api/orders/ord_1': () => success(isPaid ? buildOrder() : buildUnpaidOrder()),
  });
  changeDraft({ orderId: 'ord_1', hasSearched: true });
  return { api, ...(await visit('/?step=pay')) };
}

const payButton = (name: string) => screen.findByRole('button', { name });
const card = (name: string) => screen.findByRole('radio', { name });

test('only trip cards that can pay are offered, each with the amount it pays', async () => {
  openCardProvider();
  await openPayment([
    full,
    small,
    buildTripCard({ id: 'tcd_3', name: 'Frozen', status: 'frozen' }),
    buildTripCard({ id: 'tcd_4', name: 'Lost', status: 'lost' }),
    buildTripCard({ id: 'tcd_5', name: 'Euros', currency: 'EUR' }),
    buildTripCard({ id: 'tcd_6', name: 'Empty', balance: 0, available: 0 }),
    buildTripCard({ id: 'tcd_7', name: 'Set aside', balance: 900, held: 900, available: 0 }),
    buildTripCard({ id: 'tcd_8', name: 'To top up only', role: 'top_up' }),
  ]);
  const choice = await screen.findByRole('group', { name: 'Use a trip card' });
  expect(
    within(choice)
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.textContent),
  ).toEqual([
    'Family card, ending 3280$34.50 on it. Pays the whole price.',
    'Small card, ending 0002Pays $10.00; your payment card pays the other $8.50.',
    'No trip card',
  ]);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'No trip card' }).checked).toBe(true);
});

test('without a trip card that can pay, only the card form is shown', async () => {
  openCardProvider();
  await openPayment([buildTripCard({ status: 'frozen' })]);
  await payButton('Pay $18.50');
  expect(screen.queryByRole('radio')).toBeNull();
});

test('one press pays the whole order by trip card', async () => {
  openCardProvider();
  const { api, router } = await openPayment([full]);
  await user.click(await card('Family card, ending 3280'));
  expect(screen.queryByRole('button', { name: 'Pay $18.50' })).toBeNull();
  await user.click(await payButton('Pay $18.50 by trip card'));
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  expect(api.to(PAY).at(-1)?.body).toEqual({ method: 'trip_card', trip_card_id: full.id });
});

test('a refusal is shown, and another press starts another try', async () => {
  openCardProvider();
  payWhole = () => refusal('insufficient_balance', 'There is not enough on this trip card. Top it up first.');
  const { api } = await openPayment([full]);
  await user.click(await card('Family card, ending 3280'));
  await user.click(await payButton('Pay $18.50 by trip card'));
  expect(await screen.findByText('There is not enough on this trip card. Top it up first.')).toBeTruthy();
  expect(currentDraft().isPaymentOpen).toBe(false);
  await user.click(await payButton('Pay $18.50 by trip card'));
  const whole = () => api.to(PAY).filter(({ body }) => (body as Begun).method === 'trip_card');
  await waitFor(() => expect(new Set(whole().map(({ key }) => key)).size).toBe(2));
});

test('after a lost answer the button is gone, and repeating the same payment finds out its outcome', async () => {
  openCardProvider();
  payWhole = () => {
    throw new TypeError('Failed to fetch');
  };
  const { api, router } = await openPayment([full]);
  await user.click(await card('Family card, ending 3280'));
  await user.click(await payButton('Pay $18.50 by trip card'));
  expect(await screen.findByText('Waiting for your bank’s answer…')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  payWhole = () => {
    isPaid = true;
    return success({ ...buildPayment({ method: 'trip_card', status: 'succeeded' }), trip_card_amount: 0 });
  };
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  const keys = api.to(PAY).flatMap(({ body, key }) => ((body as Begun).method === 'trip_card' ? key : []));
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});

test('a trip card that pays a part shows both shares, and the payment card pays the rest', async () => {
  const provider = openCardProvider();
  const { api, router } = await openPayment([small]);
  await user.click(await card('Small card, ending 0002'));
  expect(await screen.findByText('From Small card, ending 0002')).toBeTruthy();
  expect(
    screen.getByText(/Nothing is taken from your trip card until your payment card has paid/),
  ).toBeTruthy();
  provider.next({ paymentIntent: { status: 'succeeded' } });
  isPaid = true;
  await user.click(await payButton('Pay $8.50'));
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  expect(api.to(PAY).at(-1)?.body).toEqual({ method: 'card', ...partOfSmall });
});

test('a trip card chosen while another payment is being started waits for it, so that the server keeps the last', async () => {
  openCardProvider();
  const { api } = await openPayment([small]);
  const answer = api.answers[PAY] as () => Response;
  const first = Promise.withResolvers<Response>();
  api.answers[PAY] = () => first.promise;
  await user.click(await card('Small card, ending 0002'));
  await screen.findByText('From Small card, ending 0002');
  expect(api.to(PAY).map(({ body }) => body)).toEqual([{ method: 'card' }]);
  api.answers[PAY] = answer;
  first.resolve(success({ ...buildPayment(), trip_card_amount: 0, client_secret: 'pi_0_secret_1' }));
  await payButton('Pay $8.50');
  expect(api.to(PAY).map(({ body }) => body)).toEqual([
    { method: 'card' },
    { method: 'card', ...partOfSmall },
  ]);
});

test('after a decline the trip card’s part is reserved again before the next try', async () => {
  const provider = openCardProvider();
  const { api } = await openPayment([small]);
  await user.click(await card('Small card, ending 0002'));
  provider.next({ error: { type: 'card_error', message: 'Your card was declined.' } });
  await user.click(await payButton('Pay $8.50'));
  expect(await screen.findByText(/^Your card was declined. You have not been charged./)).toBeTruthy();
  const before = api.to(PAY).length;
  provider.next({ paymentIntent: { status: 'succeeded' } });
  await user.click(await payButton('Pay $8.50'));
  await waitFor(() => expect(provider.confirmed).toHaveLength(2));
  expect(api.to(PAY).slice(before)).toMatchObject([{ body: { ...partOfSmall, save_card: false } }]);
});

test('after a reload the reserved part is still offered with the same amount', async () => {
  openCardProvider();
  changeDraft({ tripCardPart: { tripCardId: small.id, tripCardAmount: 1000 } });
  const { api } = await openPayment([{ ...small, balance: 1500, held: 1000, available: 500 }]);
  await payButton('Pay $8.50');
  expect(((await card('Small card, ending 0002')) as HTMLInputElement).checked).toBe(true);
  expect(api.to(PAY)).toMatchObject([{ body: partOfSmall }]);
});

test('a reload while a trip card pays the whole order finds out the outcome', async () => {
  openCardProvider();
  changeDraft({
    tripCardPart: { tripCardId: full.id, tripCardAmount: 1850 },
    isPaymentOpen: true,
    paymentId: null,
    idempotencyKeys: { [`trip-card:ord_1:${full.id}`]: 'the-same-key' },
  });
  const { api, router } = await openPayment([full]);
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  const sent = api.to(PAY).map(({ key, body }) => [key, (body as Begun).method].join());
  expect(new Set(sent)).toEqual(new Set(['the-same-key,trip_card']));
});

test('a visitor’s trip cards are not requested', async () => {
  openPage(`${TICKETS}/`);
  openCardProvider();
  const { api } = await openPayment([full]);
  await payButton('Pay $18.50');
  expect(api.to('GET /api/customers/trip_cards')).toEqual([]);
});

const pass: PassOffer = {
  trip_card_id: 'tcd_00000000000000000000000009',
  name: '10-trip pass',
  last_four: '0009',
  available: 10,
  trips: 2,
  covered: [{ description: 'Adult', count: 2 }],
  amount: 1850,
};

test('a pass pays the whole order with the trips that are offered', async () => {
  openCardProvider();
  const { api, router } = await openPayment([full], [pass]);
  const choice = await card('10-trip pass, ending 0009');
  expect(choice.closest('label')?.textContent).toContain('Use 2 of 10 trips for 2 × Adult.');
  await user.click(choice);
  await user.click(await payButton('Pay with 2 trips'));
  await waitFor(() => expect(router.state.location.pathname).toBe(CONFIRMATION), PATIENT);
  expect(api.to(PAY).at(-1)?.body).toEqual({
    method: 'trip_card',
    trip_card_id: pass.trip_card_id,
    trips: 2,
  });
});

test('a pass pays for some, and the payment card the rest', async () => {
  openCardProvider();
  const some = { ...pass, trips: 1, covered: [{ description: 'Adult', count: 1 }], amount: 1000 };
  const { api } = await openPayment([], [some]);
  const choice = await card('10-trip pass, ending 0009');
  expect(choice.closest('label')?.textContent).toContain('Your payment card pays the other $8.50.');
  await user.click(choice);
  await payButton('Pay $8.50');
  expect(screen.getByText('1 trip', { exact: true })).toBeTruthy();
  expect(api.to(PAY).at(-1)?.body).toEqual({
    method: 'card',
    trip_card_id: pass.trip_card_id,
    trips: 1,
  });
});
