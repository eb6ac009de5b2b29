import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import type { StartedTopUp, TopUp, TripCard } from '#contract/trip-cards/schemas.ts';
import { buildPaymentCard } from '#tests/web/features/build-payment-card.ts';
import { DESKTOP, PHONE, setScreenWidth } from '#tests/web/screen-width.ts';
import { clearSession, startSession } from '#web/platform/session/session.ts';
import { busyReasons } from '#web/platform/updates/busy.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { closeCardProvider, openCardProvider } from '../../tickets/card-provider.ts';
import { refusal } from '../refusal.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';
import { buildAutoTopUp, buildTopUp, buildTripCard, CARD_ID, NOW } from './build-trip-card.ts';

const PATH = `/trip_cards/${CARD_ID}/top_ups`;
const TOP_UPS = `/api/customers${PATH}`;
const OPEN = { status: 'created', receipt_number: null, completed_at: null } as const;

let card: TripCard;
let topUps: TopUp[];
let paymentCards: PaymentCard[];
let start: () => Response | Promise<Response>;
/** The response to requests about the started top-up. */
let answerStarted: () => Response | Promise<Response>;
let requests: ReturnType<typeof answerApi>;
let provider: ReturnType<typeof openCardProvider>;

beforeEach(() => {
  setScreenWidth(PHONE);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  provider = openCardProvider();
  card = buildTripCard();
  topUps = [];
  paymentCards = [];
  start = () => started({ ...OPEN }, 'pi_1_secret_1');
  answerStarted = () => success(buildTopUp());
  requests = answerApi(({ url, init }) => {
    const path = url.pathname;
    if (path.endsWith(CARD_ID)) return success(card);
    if (path.endsWith('/payment_cards')) return listAnswer(paymentCards);
    if (path.startsWith(`${TOP_UPS}/`)) return answerStarted();
    if (path !== TOP_UPS) return undefined;
    if (init.method === 'POST') return start();
    return success({ top_ups: topUps, next_before_seq: null }, { meta: null });
  });
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function started(over: Partial<TopUp>, secret: string | null): Response {
  return success({ ...buildTopUp(over), client_secret: secret } satisfies StartedTopUp);
}

const posts = () => requests.filter(({ url, init }) => url === TOP_UPS && init.method === 'POST');
const bodies = () => posts().map(({ init }) => JSON.parse(String(init.body)));
const keys = () => new Set(posts().map(({ init }) => new Headers(init.headers).get('idempotency-key')));
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const isPaid = () => screen.findByText('$20.00 is on Family card');
const cutOff = () => Promise.reject(new TypeError('cut off'));
const rowTexts = () =>
  within(screen.getByRole('list', { name: 'Top-ups, newest first' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

async function openNewCard() {
  const visit = await visitPortal(PATH);
  await press('Enter card details');
  await screen.findByRole('button', { name: 'Pay $20.00' });
  return visit;
}

describe('Trip Card Top-ups', () => {
  test('lists every top-up with its state and receipt', async () => {
    topUps = [
      buildTopUp({ id: 'top_3', status: 'processing', receipt_number: null }),
      buildTopUp({
        id: 'top_2',
        status: 'failed',
        receipt_number: null,
        failure: { code: 'card_declined', message: 'Your bank said no.' },
      }),
      buildTopUp({ trigger: 'auto' }),
    ];
    await visitPortal(PATH);
    await waitFor(() => expect(document.title).toBe('Trip Card Top-ups | Sound Ferries'));
    await screen.findByText('A top-up is still being confirmed');
    expect(rowTexts()).toEqual([
      'Top-up$20.00Today, 1:52 PMBeing confirmed',
      'Top-up$20.00Today, 1:52 PM · Your bank said no.Not paid',
      'Automatic top-up$20.00Today, 1:52 PM · receipt K7M4-QXPAPaid',
    ]);
  });

  test('is a table on wide screens, with a column for each of its parts', async () => {
    setScreenWidth(DESKTOP);
    topUps = [buildTopUp({ trigger: 'auto' })];
    await visitPortal(PATH);
    const table = within(await screen.findByRole('table', { name: 'Top-ups, newest first' }));
    expect(table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(
      [
        ['What', 'When', 'Details', 'Amount', 'State'],
        ['Automatic top-up', 'Today, 1:52 PM', 'receipt K7M4-QXPA', '$20.00', 'Paid'],
      ],
    );
  });

  test('shows that the money of a disputed top-up was removed', async () => {
    topUps = [buildTopUp({ status: 'disputed' })];
    await visitPortal(PATH);
    await waitFor(() =>
      expect(rowTexts()).toEqual([expect.stringMatching(/the money was removed from the card\.Disputed$/)]),
    );
  });

  test('offers the operator’s amounts, and other amounts within the limits', async () => {
    await visitPortal(PATH);
    await userEvent.click(await screen.findByLabelText('Other'));
    const field = screen.getByLabelText('Amount (USD)');
    await userEvent.type(field, '1000');
    await press('Enter card details');
    const link = await screen.findByRole('link', { name: 'Enter an amount from $5.00 to $500.00.' });
    expect(document.activeElement).toBe(link.closest('[role=alert]'));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(posts()).toHaveLength(0);
    await userEvent.clear(field);
    await userEvent.type(field, '7.5');
    await press('Enter card details');
    await waitFor(() => expect(bodies()).toEqual([{ amount: 750, save_card: false }]));
  });

  test.each([
    ['frozen', 'This card is frozen. Unfreeze it to top it up.'],
    ['lost', 'This card was reported lost. Top up the one that replaced it.'],
  ] as const)('does not offer to top up a card that is %s', async (status, text) => {
    card = buildTripCard({ status });
    await visitPortal(PATH);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText('How much')).toBeNull();
  });

  test('shows no history to a customer who may only top up', async () => {
    card = buildTripCard({ role: 'top_up', number: null });
    await visitPortal(PATH);
    expect(await screen.findByText('How much')).toBeTruthy();
    expect(screen.queryByText('Earlier top-ups')).toBeNull();
  });
});

describe('a top-up with a saved card', () => {
  beforeEach(() => {
    paymentCards = [
      buildPaymentCard({ id: 'pcd_1', primary: true }),
      buildPaymentCard({ id: 'pcd_2', last_four: '0341', expired: true }),
    ];
  });

  test('is charged with one press and shows its receipt', async () => {
    start = () => started({}, null);
    await visitPortal(PATH);
    const option = await screen.findByRole<HTMLInputElement>('radio', { name: /Visa ending in 4242/ });
    expect(option.checked).toBe(true);
    expect(screen.queryByText(/0341/)).toBeNull();
    await press('Pay $20.00');
    await isPaid();
    expect(screen.getByText(/Your receipt is K7M4-QXPA/)).toBeTruthy();
    expect(bodies()).toEqual([{ amount: 2000, payment_card_id: 'pcd_1' }]);
    expect(document.activeElement?.textContent).toBe('Paid');
    expect(busyReasons()).toEqual([]);
  });

  test('returns to the form when the card is declined, and starts a new payment next', async () => {
    start = () =>
      started(
        { ...OPEN, status: 'failed', failure: { code: 'card_declined', message: 'Your bank said no.' } },
        null,
      );
    await visitPortal(PATH);
    await press('Pay $20.00');
    expect(await screen.findByText('Your bank said no.')).toBeTruthy();
    start = () => started({}, null);
    await press('Pay $20.00');
    await isPaid();
    expect(keys().size).toBe(2);
  });

  test('is confirmed with the bank if the bank requires it', async () => {
    start = () => started({ ...OPEN, status: 'requires_action' }, 'pi_1_secret_1');
    provider.next({ paymentIntent: { status: 'succeeded' } });
    await visitPortal(PATH);
    await press('Pay $20.00');
    await isPaid();
    expect(provider.secrets).toContain('pi_1_secret_1');
  });

  test('is never charged twice when the response is lost, and shows that its outcome is being checked', async () => {
    start = cutOff;
    vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await visitPortal(PATH);
    await user.click(await screen.findByRole('button', { name: 'Pay $20.00' }));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.getByText('We’re still checking your payment. Please don’t pay again.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    expect(busyReasons()).toContain('payment open');
    // This refusal does not tell the outcome of the first request.
    start = () => refusal('rate_limited', 'Too many tries.', { status: 429 });
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(screen.getByText('We’re still checking your payment. Please don’t pay again.')).toBeTruthy();
    start = () => started({}, null);
    await user.click(screen.getByRole('button', { name: 'Check now' }));
    await act(() => vi.advanceTimersByTimeAsync(1000));
    await isPaid();
    expect(keys().size).toBe(1);
  });

  test('is not charged when the server refuses it', async () => {
    start = () => refusal('trip_card_frozen', 'This trip card is frozen. Unfreeze it first.');
    await visitPortal(PATH);
    await press('Pay $20.00');
    expect(await screen.findByText('This trip card is frozen. Unfreeze it first.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Pay $20.00' })).toBeTruthy();
  });

  test('waits for a press after a reload during the bank’s check, and can be canceled', async () => {
    provider.intent = { status: 'requires_action' };
    start = () => started({ ...OPEN, status: 'requires_action' }, 'pi_1_secret_1');
    answerStarted = () => success(buildTopUp({ ...OPEN, status: 'requires_action' }));
    provider.next(new Error('the page was left'));
    await visitPortal(PATH);
    await press('Pay $20.00');
    await screen.findByText('Your bank needs to check it’s you');
    cleanup();
    await visitPortal(PATH);
    expect(await screen.findByText('Your bank needs to check it’s you')).toBeTruthy();
    await press('Do not pay');
    expect(await screen.findByText('How much')).toBeTruthy();
  });
});

describe('a top-up with a new card', () => {
  test('sends the card to the provider, and can save it', async () => {
    provider.next({ paymentIntent: { status: 'succeeded' } });
    await visitPortal(PATH);
    await userEvent.click(await screen.findByLabelText('Save this card for next time'));
    await press('Enter card details');
    await press('Pay $20.00');
    await isPaid();
    expect(bodies()).toEqual([{ amount: 2000, save_card: true }]);
    expect(provider.secrets).toContain('pi_1_secret_1');
  });

  test('can be paid from a wallet', async () => {
    provider.wallets = { googlePay: true };
    await openNewCard();
    expect(await screen.findByText('Or pay by card')).toBeTruthy();
    provider.next({ paymentIntent: { status: 'succeeded' } });
    act(() => provider.confirmInWallet());
    await isPaid();
    expect(posts()).toHaveLength(1);
  });

  test('offers no wallet when the card is to be saved', async () => {
    provider.wallets = { googlePay: true };
    await visitPortal(PATH);
    await userEvent.click(await screen.findByLabelText('Save this card for next time'));
    await press('Enter card details');
    await screen.findByRole('button', { name: 'Pay $20.00' });
    expect(screen.queryByText('Or pay by card')).toBeNull();
  });

  test('can be tried again when the card is declined', async () => {
    provider.next({ error: { type: 'card_error', message: 'Your card was declined.' } });
    await openNewCard();
    await press('Pay $20.00');
    const problem = await screen.findByText(/^Your card was declined. You have not been charged./);
    expect(document.activeElement?.contains(problem)).toBe(true);
    provider.next({ paymentIntent: { status: 'succeeded' } });
    await press('Pay $20.00');
    await isPaid();
    expect(posts()).toHaveLength(1);
  });

  test('continues the same payment after a reload before it was sent', async () => {
    await openNewCard();
    cleanup();
    await visitPortal(PATH);
    await screen.findByRole('button', { name: 'Pay $20.00' });
    expect(keys().size).toBe(1);
  });

  test('shows the outcome after a reload once it was sent', async () => {
    provider.next({ paymentIntent: { status: 'processing' } });
    answerStarted = cutOff;
    await openNewCard();
    await press('Pay $20.00');
    await screen.findByText('Your payment');
    cleanup();
    answerStarted = () => success(buildTopUp());
    await visitPortal(PATH);
    await isPaid();
  });

  test('asks for the card again when the bank refuses it later', async () => {
    provider.next({ paymentIntent: { status: 'processing' } });
    answerStarted = () =>
      success(buildTopUp({ ...OPEN, failure: { code: 'x', message: 'Your bank said no.' } }));
    await openNewCard();
    await press('Pay $20.00');
    expect(await screen.findByText('Your bank said no.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Pay $20.00' })).toBeTruthy();
  });

  test('starts again when its payment has expired', async () => {
    provider.next({ error: { type: 'invalid_request_error' } });
    provider.intent = { status: 'canceled' };
    await openNewCard();
    await press('Pay $20.00');
    expect(await screen.findByText(/^This payment has expired\./)).toBeTruthy();
    expect(await screen.findByText('How much')).toBeTruthy();
  });

  test('says that nothing was charged when it could not be started', async () => {
    start = () => json({}, 503);
    await visitPortal(PATH);
    await press('Enter card details');
    expect(await screen.findByText(/Nothing was charged\./)).toBeTruthy();
    start = () => started({ ...OPEN }, 'pi_1_secret_1');
    await press('Try again');
    expect(await screen.findByRole('button', { name: 'Pay $20.00' })).toBeTruthy();
    expect(keys().size).toBe(1);
  });

  test('is dropped when the session ends', async () => {
    await openNewCard();
    expect(sessionStorage.getItem('trip-card-top-up')).not.toBeNull();
    act(() => void clearSession());
    expect(sessionStorage.getItem('trip-card-top-up')).toBeNull();
  });
});

describe('the automatic top-up', () => {
  const AUTO = `${TOP_UPS.replace('/top_ups', '/auto_top_up')}`;
  const AGREED = buildAutoTopUp();
  const puts = () =>
    requests
      .filter(({ url, init }) => url === AUTO && init.method === 'PUT')
      .map(({ init }) => JSON.parse(String(init.body)));

  beforeEach(() => {
    paymentCards = [buildPaymentCard({ id: 'pcd_1', primary: true })];
  });

  test('needs a saved payment card', async () => {
    paymentCards = [];
    await visitPortal(PATH);
    expect(await screen.findByText(/Save a payment card first/)).toBeTruthy();
  });

  test('can be set up once the card that paid a top-up is saved', async () => {
    paymentCards = [];
    await visitPortal(PATH);
    await screen.findByText(/Save a payment card first/);
    await userEvent.click(await screen.findByLabelText('Save this card for next time'));
    await press('Enter card details');
    await press('Pay $20.00');
    await isPaid();
    expect(screen.getByText('Your payment card is being saved…')).toBeTruthy();
    paymentCards = [buildPaymentCard({ id: 'pcd_1', primary: true })];
    await press('Set up automatic top-up');
    expect(await screen.findByRole('dialog', { name: 'Automatic top-up' })).toBeTruthy();
  });

  test('is announced when it is due, and its outcome appears without a reload', async () => {
    card = buildTripCard({ balance: 900, auto_top_up: AGREED });
    topUps = [buildTopUp({ trigger: 'auto', ...OPEN })];
    await visitPortal(PATH);
    await screen.findByText('An automatic top-up is on its way.');
    await waitFor(() =>
      expect(rowTexts()).toEqual([expect.stringMatching(/^Automatic top-up.*Being confirmed$/)]),
    );
    card = buildTripCard({ balance: 2900, version: 4, auto_top_up: AGREED });
    topUps = [buildTopUp({ trigger: 'auto' })];
    await screen.findByText('$29.00');
    await waitFor(() => expect(rowTexts()).toEqual([expect.stringMatching(/^Automatic top-up.*Paid$/)]));
    expect(screen.queryByText(/on its way/)).toBeNull();
  });

  test('shows when it is tried next', async () => {
    const later = new Date(NOW.getTime() + 86_400_000).toISOString();
    card = buildTripCard({ balance: 900, auto_top_up: { ...AGREED, next_try_at: later } });
    await visitPortal(PATH);
    expect(
      await screen.findByText(/^The balance is below that\. We’ll try the next top-up Jun 6, 2:02/),
    ).toBeTruthy();
  });

  test('shows the next attempt on the device’s calendar, until that time has passed', async () => {
    const day = 86_400_000;
    const soon = new Date(NOW.getTime() + 3_600_000).toISOString();
    const before = new Date(NOW.getTime() - day).toISOString();
    card = buildTripCard({ balance: 900, as_of: before, auto_top_up: { ...AGREED, next_try_at: soon } });
    const { client } = await visitPortal(PATH);
    expect(await screen.findByText(/We’ll try the next top-up today, 3:02 PM\.$/)).toBeTruthy();
    const past = new Date(NOW.getTime() - day / 2).toISOString();
    card = buildTripCard({ balance: 900, as_of: before, auto_top_up: { ...AGREED, next_try_at: past } });
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(screen.queryByText(/We’ll try the next top-up/)).toBeNull());
  });

  test('accepts only amounts within the operator’s limits', async () => {
    await visitPortal(PATH);
    await press('Set up automatic top-up');
    const dialog = within(await screen.findByRole('dialog'));
    const amount = dialog.getByLabelText('Add (USD)');
    await userEvent.clear(amount);
    await userEvent.type(amount, '1');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByRole('link', { name: 'Enter an amount from $5.00 to $500.00.' });
    await userEvent.clear(amount);
    await userEvent.type(amount, '30');
    await userEvent.selectOptions(dialog.getByLabelText('At most'), '2');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(puts()).toEqual([{ threshold: 1000, amount: 3000, payment_card_id: 'pcd_1', max_per_day: 2 }]);
  });

  test('shows its terms, and can be paused and turned off', async () => {
    card = buildTripCard({ auto_top_up: AGREED });
    await visitPortal(PATH);
    const sentence = await screen.findByText(/^Below \$10\.00 we add \$20\.00/);
    await waitFor(() => expect(sentence.textContent).toMatch(/Visa ending in 4242, once a day at most\.$/));
    await press('Pause');
    await waitFor(() => expect(puts()).toMatchObject([{ threshold: 1000, paused: true }]));
    await press('Turn off');
    await waitFor(() =>
      expect(requests.some(({ url, init }) => url === AUTO && init.method === 'DELETE')).toBe(true),
    );
  });

  test('asks for another card when the card was declined', async () => {
    card = buildTripCard({ auto_top_up: { ...AGREED, payment_card_id: 'pcd_9', state: 'needs_card' } });
    await visitPortal(PATH);
    await press('Choose another card');
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('link', { name: 'Choose a payment card.' })).toBeTruthy();
    expect(puts()).toEqual([]);
  });

  test('restarts after one payment that is confirmed with the bank', async () => {
    card = buildTripCard({ auto_top_up: { ...AGREED, state: 'needs_authentication' } });
    start = () => started({ ...OPEN, status: 'requires_action' }, 'pi_1_secret_1');
    provider.next({ paymentIntent: { status: 'succeeded' } });
    await visitPortal(PATH);
    await press('Top up $20.00 now');
    await isPaid();
    expect(bodies()).toEqual([{ amount: 2000, payment_card_id: 'pcd_1' }]);
  });
});
