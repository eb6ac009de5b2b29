import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { StartedTopUp, TopUp } from '#contract/trip-cards/schemas.ts';
import { buildPaymentCard } from '#tests/web/features/build-payment-card.ts';
import { PHONE, setScreenWidth } from '#tests/web/screen-width.ts';
import { startSession } from '#web/platform/session/session.ts';
import { openPage, success, TOKEN } from '../../platform/page.ts';
import { closeCardProvider, openCardProvider } from '../../tickets/card-provider.ts';
import { refusal } from '../refusal.ts';
import { buildPass, buildTopUp, CARD_ID, NOW } from '../trip-cards/build-trip-card.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

const PATH = '/passes';
const OPEN = { status: 'created', receipt_number: null, completed_at: null } as const;
const TEN_TRIPS = buildPass().pass;
const FIVE_TRIPS: PassTerms = {
  ...TEN_TRIPS,
  ...{ code: 'five_trips', name: '5-trip pass', summary: 'Five crossings.', trips: 5, price: 4000 },
};

let passes: PassTerms[];
let start: () => Response | Promise<Response>;
let requests: ReturnType<typeof answerApi>;
let provider: ReturnType<typeof openCardProvider>;

beforeEach(() => {
  setScreenWidth(PHONE);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  provider = openCardProvider();
  passes = [TEN_TRIPS, FIVE_TRIPS];
  start = () => started({}, null);
  requests = answerApi(({ url: { pathname }, init }) => {
    if (pathname === '/api/passes') return success(passes);
    if (pathname.endsWith('/payment_cards')) return listAnswer([buildPaymentCard({ id: 'pcd_1' })]);
    if (pathname === '/api/customers/passes' && init.method === 'POST') return start();
    if (pathname.includes('/top_ups/')) return success(buildPurchase());
    return undefined;
  });
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function buildPurchase(over: Partial<TopUp> = {}): TopUp {
  return buildTopUp({ amount: 4000, trips: 5, ...over });
}

function started(over: Partial<TopUp>, secret: string | null): Response {
  return success({ ...buildPurchase(over), client_secret: secret } satisfies StartedTopUp);
}

const posts = () =>
  requests.filter(({ url, init }) => url === '/api/customers/passes' && init.method === 'POST');
const bodies = () => posts().map(({ init }) => JSON.parse(String(init.body)));
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const chooseFiveTrips = async () => userEvent.click(await screen.findByLabelText(/^5-trip pass, \$40\.00/));

describe('Buy a pass', () => {
  test('shows each pass with its price, and the conditions of the chosen one', async () => {
    await visitPortal(PATH);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Buy a pass'));
    const choice = within(await screen.findByRole('group', { name: 'Which pass' }));
    expect(choice.getAllByRole('radio')).toHaveLength(2);
    expect(choice.getByText('Ten crossings.')).toBeTruthy();
    expect(screen.getByText(/^10 trips/)).toBeTruthy();
    await chooseFiveTrips();
    expect(screen.getByText(/^5 trips/)).toBeTruthy();
    expect(screen.queryByText(/^10 trips/)).toBeNull();
  });

  test('leads back to the trip cards when no pass is on sale', async () => {
    passes = [];
    await visitPortal(PATH);
    expect(await screen.findByText('No passes are on sale')).toBeTruthy();
    expect(within(screen.getByRole('main')).getAllByRole('link', { name: 'Trip Cards' })).toHaveLength(2);
  });

  test('charges a saved card once for the chosen pass, and shows the receipt', async () => {
    await visitPortal(PATH);
    await chooseFiveTrips();
    await press('Pay $40.00');
    expect(await screen.findByText('5 trips added')).toBeTruthy();
    expect(screen.getByText(/Your receipt is K7M4-QXPA/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your pass' })).toBeTruthy();
    expect(bodies()).toEqual([{ code: 'five_trips', price: 4000, payment_card_id: 'pcd_1' }]);
    expect(document.activeElement?.textContent).toBe('Paid');
  });

  test('shows why the payment was refused, keeps the choice, and starts a new payment next', async () => {
    start = () => refusal('price_changed', 'The price has changed. Please check it.');
    await visitPortal(PATH);
    await chooseFiveTrips();
    await press('Pay $40.00');
    expect(await screen.findByText('The price has changed. Please check it.')).toBeTruthy();
    start = () => started({}, null);
    await chooseFiveTrips();
    await press('Pay $40.00');
    expect(await screen.findByText('5 trips added')).toBeTruthy();
    const keys = posts().map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
  });

  test('continues with the same payment after a reload, and charges once', async () => {
    start = () => started({ ...OPEN }, 'pi_1_secret_1');
    await visitPortal(PATH);
    await chooseFiveTrips();
    await userEvent.click(screen.getByRole('radio', { name: 'Another card' }));
    await press('Enter card details');
    await screen.findByRole('button', { name: 'Pay $40.00' });
    cleanup();
    await visitPortal(PATH);
    provider.next({ paymentIntent: { status: 'succeeded' } });
    await press('Pay $40.00');
    expect(await screen.findByText('5 trips added')).toBeTruthy();
    const keys = posts().map(({ init }) => new Headers(init.headers).get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  test('is never paid twice when the response is lost', async () => {
    start = () => Promise.reject(new TypeError('cut off'));
    vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await visitPortal(PATH);
    await user.click(await screen.findByRole('button', { name: 'Pay $74.00' }));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.getByText('We’re still checking your payment. Please don’t pay again.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  });
});

describe('Purchases of a pass', () => {
  const purchasesPath = `/trip_cards/${CARD_ID}/top_ups`;
  let pass: ReturnType<typeof buildPass>;
  let purchases: TopUp[];

  beforeEach(() => {
    pass = buildPass();
    purchases = [];
    requests = answerApi(({ url: { pathname } }) => {
      if (pathname === '/api/passes') return success(passes);
      if (pathname.endsWith('/payment_cards')) return listAnswer([]);
      if (pathname.endsWith(CARD_ID)) return success(pass);
      if (!pathname.endsWith(purchasesPath)) return undefined;
      return success({ top_ups: purchases, next_before_seq: null }, { meta: null });
    });
  });

  test('are listed in trips, with the price and state of each', async () => {
    purchases = [
      buildPurchase({ id: 'top_3', status: 'processing', receipt_number: null }),
      buildPurchase({ id: 'top_2', status: 'disputed' }),
      buildPurchase(),
    ];
    await visitPortal(purchasesPath);
    const list = await screen.findByRole('list', { name: 'Purchases, newest first' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((row) => row.textContent),
    ).toEqual([
      '5 trips$40.00Today, 1:52 PMBeing confirmed',
      '5 trips$40.00Today, 1:52 PM · receipt K7M4-QXPA. The bank reversed this payment, so the trips were removed from the pass.Disputed',
      '5 trips$40.00Today, 1:52 PM · receipt K7M4-QXPAPaid',
    ]);
    expect(screen.getByText('A purchase is still being confirmed')).toBeTruthy();
  });

  test('come after the conditions and the same pass to buy again', async () => {
    await visitPortal(purchasesPath);
    expect(await screen.findByText('What it pays for')).toBeTruthy();
    expect(await screen.findByText('Buy it again')).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Which pass' })).toBeNull();
    expect(await screen.findByText('No purchases yet.')).toBeTruthy();
  });

  test('offer nothing to buy when the pass is no longer sold', async () => {
    passes = [FIVE_TRIPS];
    await visitPortal(purchasesPath);
    expect(await screen.findByText('No purchases yet.')).toBeTruthy();
    expect(screen.queryByText('Buy it again')).toBeNull();
  });
});
