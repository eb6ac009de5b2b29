import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import type { TripCard } from '#contract/trip-cards/schemas.ts';
import { buildPaymentCard } from '#tests/web/features/build-payment-card.ts';
import { startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';
import { takeReturnPath } from '#web/portal/identity/sign-in/return-path.ts';
import { openPage, PORTAL, success, TOKEN } from '../../platform/page.ts';
import { closeCardProvider, openCardProvider } from '../../tickets/card-provider.ts';
import { refusal } from '../refusal.ts';
import { buildTripCard } from '../trip-cards/build-trip-card.ts';
import { answerApi, visitPortal } from '../visit-portal.tsx';

const PATH = '/payment_methods';
const PENDING = 'card-setup';
const user = userEvent.setup();

const visa = buildPaymentCard({ primary: true });
const mastercard = buildPaymentCard({
  id: 'pcd_00000000000000000000000002',
  network: 'mastercard',
  funding: 'debit',
  last_four: '4444',
});

let cards: PaymentCard[];
let pages: number;
/** Null if the request fails. */
let tripCards: TripCard[] | null;
let calls: { method: string; path: string; body: unknown }[];
let answer: (call: string, body: unknown) => Response | undefined;

beforeEach(() => {
  openPage(`${PORTAL}${PATH}`);
  startSession(TOKEN);
  cards = [];
  pages = 1;
  tripCards = [];
  calls = [];
  answer = () => undefined;
  answerApi(({ url, init }) => {
    const method = init.method ?? 'GET';
    const path = url.pathname.replace('/api/customers', '');
    if (path === '/trip_cards') return tripCards ? success(tripCards) : refusal('rate_limited', 'Wait.');
    if (!path.startsWith('/payment_cards')) return undefined;
    const body = init.body ? JSON.parse(String(init.body)) : null;
    calls.push({ method, path: path + url.search, body });
    const special = answer(`${method} ${path}`, body);
    if (special !== undefined) return special;
    if (method === 'GET') return listOf(Number(url.searchParams.get('page')));
    if (path.endsWith('/setup_intent'))
      return success({ client_secret: 'seti_1_secret_1', setup_intent_id: 'seti_1' });
    if (path.endsWith('/primary')) return success({ ...mastercard, primary: true });
    if (method === 'DELETE') return success({ id: visa.id, promoted: null });
    cards = [visa];
    return success(visa);
  });
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function listOf(page: number): Response {
  const meta = { page, page_size: 10, total_pages: pages, total_count: cards.length };
  return success(
    cards.filter((_, index) => pages === 1 || Math.floor(index / 10) === page - 1),
    { meta },
  );
}

const rows = () => within(screen.getByRole('list', { name: 'Saved cards' })).getAllByRole('listitem');
const sent = (method: string) => calls.filter((call) => call.method === method);

async function open(path = PATH) {
  const view = await visitPortal(path);
  await screen.findByRole('heading', { level: 1, name: 'Payment Methods' });
  return view;
}

async function openForm() {
  await user.click(await screen.findByRole('button', { name: 'Add a card' }));
  return screen.findByRole('button', { name: 'Add this card' });
}

async function choose(card: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Change ${card}` }));
  await user.click(screen.getByRole('menuitem', { name: action }));
}

describe('the list of saved cards', () => {
  test('shows each card with network, last four, expiry and status', async () => {
    cards = [
      visa,
      { ...mastercard, expires_soon: true, exp_date: '07/26' },
      buildPaymentCard({
        id: 'pcd_00000000000000000000000003',
        network: 'something_new',
        funding: 'unknown',
        last_four: '0005',
        expired: true,
        status: 'expired',
        exp_date: '05/26',
      }),
    ];
    await open();
    await screen.findByRole('list', { name: 'Saved cards' });
    expect(document.title).toBe('Payment Methods | Sound Ferries');
    expect(rows().map((row) => row.textContent?.replace(/\s+/g, ' '))).toEqual([
      'Visa •••• 4242Visa ending in 4242 Primary Credit card, expires 12/34',
      'Mastercard •••• 4444Mastercard ending in 4444 Expires soonDebit card, expires 07/26',
      'Card •••• 0005Card ending in 0005 ExpiredCard, expired 05/26',
    ]);
    await user.click(screen.getByRole('button', { name: 'Change Card ending in 0005' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Delete']);
  });

  test('loads page by page', async () => {
    pages = 2;
    cards = Array.from({ length: 12 }, (_, index) =>
      buildPaymentCard({ id: `pcd_${String(index).padStart(26, '0')}`, last_four: String(1000 + index) }),
    );
    await open();
    await screen.findByRole('list', { name: 'Saved cards' });
    expect(rows()).toHaveLength(10);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows()).toHaveLength(12));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('says when there is no card, and when loading fails', async () => {
    await open();
    expect(await screen.findByRole('heading', { name: 'No saved cards' })).toBeTruthy();
    cleanup();
    let isDown = true;
    answer = (call) =>
      isDown && call === 'GET /payment_cards' ? refusal('rate_limited', 'Wait.', { status: 429 }) : undefined;
    cards = [visa];
    await open();
    expect(await screen.findByText('Your cards could not be loaded')).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole('button', { name: /try again/i }));
    expect(await screen.findByRole('list', { name: 'Saved cards' })).toBeTruthy();
  });

  test('requires a sign-in, which leads back to it', async () => {
    openPage(`${PORTAL}${PATH}`);
    const { router } = await visitPortal(PATH);
    await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
    expect(takeReturnPath()).toBe(PATH);
  });
});

describe('adding a card', () => {
  test('sends the form to the provider and adds the card to the list', async () => {
    const provider = openCardProvider();
    await open();
    const add = await openForm();
    await waitFor(() => expect(isBusy()).toBe(true));
    expect(screen.queryByRole('checkbox')).toBeNull();
    provider.next({ setupIntent: { status: 'succeeded' } });
    await user.click(add);
    expect(await screen.findByText(/is added and is your primary card/)).toBeTruthy();
    expect(await screen.findByRole('list', { name: 'Saved cards' })).toBeTruthy();
    expect(rows()).toHaveLength(1);
    expect(provider.secrets).toContain('seti_1_secret_1');
    expect(provider.confirmed).toEqual([{ return_url: `${PORTAL}${PATH}` }]);
    expect(sent('POST').at(-1)).toEqual({
      method: 'POST',
      path: '/payment_cards',
      body: { setup_intent_id: 'seti_1', primary: false },
    });
    expect(sessionStorage.getItem(PENDING)).toBeNull();
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('can make it the primary card if there is one already', async () => {
    cards = [visa];
    const provider = openCardProvider();
    await open();
    const add = await openForm();
    await user.click(screen.getByRole('checkbox', { name: 'Make this my primary card' }));
    provider.next({ setupIntent: { status: 'succeeded' } });
    await user.click(add);
    await waitFor(() =>
      expect(sent('POST').at(-1)?.body).toEqual({ setup_intent_id: 'seti_1', primary: true }),
    );
  });

  test('shows a refusal beside the form, and uses the same setup for the next card', async () => {
    const provider = openCardProvider();
    await open();
    const add = await openForm();
    provider.next({
      error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
    });
    await user.click(add);
    expect(
      (await screen.findByText(/^Your card was declined. You have not been charged./)).closest(
        '[role=alert]',
      ),
    ).toBeTruthy();
    expect(sessionStorage.getItem(PENDING)).toBeNull();
    provider.next({ setupIntent: { status: 'succeeded' } });
    await user.click(add);
    await screen.findByText(/is added/);
    expect(calls.filter(({ path }) => path.endsWith('/setup_intent'))).toHaveLength(1);
  });

  test('can be canceled, and the focus returns to its button', async () => {
    openCardProvider();
    cards = [visa];
    await open();
    await openForm();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('button', { name: 'Add this card' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a card' }));
  });

  test('sends nothing when the form is incomplete or the setup cannot start', async () => {
    const provider = openCardProvider();
    await open();
    const add = await openForm();
    provider.submitError = { type: 'validation_error', message: 'Your card number is incomplete.' };
    await user.click(add);
    expect(await screen.findByText('Your card number is incomplete.')).toBeTruthy();
    expect(sent('POST')).toEqual([]);
    provider.submitError = null;
    answer = (call) =>
      call === 'POST /payment_cards/setup_intent'
        ? refusal('too_many_cards', 'Delete one first.')
        : undefined;
    await user.click(add);
    expect(await screen.findByText('Delete one first.')).toBeTruthy();
    expect(provider.confirmed).toEqual([]);
  });

  test('asks the server for the outcome when the response is lost', async () => {
    const provider = openCardProvider();
    await open();
    const add = await openForm();
    provider.next(new TypeError('Failed to fetch'));
    let isDown = true;
    answer = (call) =>
      isDown && call === 'POST /payment_cards'
        ? refusal('payment_unavailable', 'Not now.', { status: 503 })
        : undefined;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await act(async () => add.click());
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.getByText('We’re still checking whether your card was added')).toBeTruthy();
    expect(sessionStorage.getItem(PENDING)).toContain('seti_1');
    isDown = false;
    await act(() => vi.advanceTimersByTimeAsync(3000));
    vi.useRealTimers();
    expect(await screen.findByText(/is added/)).toBeTruthy();
    expect(sessionStorage.getItem(PENDING)).toBeNull();
  });

  test('finds the added card after a reload', async () => {
    sessionStorage.setItem(PENDING, JSON.stringify({ setupIntentId: 'seti_7', primary: true }));
    await open();
    expect(await screen.findByText(/is added/)).toBeTruthy();
    expect(sent('POST')).toEqual([
      { method: 'POST', path: '/payment_cards', body: { setup_intent_id: 'seti_7', primary: true } },
    ]);
  });

  test('says after a reload that the bank’s check was not finished', async () => {
    openCardProvider();
    sessionStorage.setItem(PENDING, JSON.stringify({ setupIntentId: 'seti_7', primary: false }));
    answer = (call) =>
      call === 'POST /payment_cards'
        ? refusal('setup_unfinished', 'The card has not been added.')
        : undefined;
    await open();
    expect(await screen.findByText('The card has not been added.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Add this card' })).toBeTruthy();
    expect(sessionStorage.getItem(PENDING)).toBeNull();
  });

  test('removes the bank’s parameters from the address on return', async () => {
    const { router } = await open(
      `${PATH}?setup_intent=seti_9&setup_intent_client_secret=seti_9_secret_x&redirect_status=succeeded`,
    );
    expect(await screen.findByText(/is added/)).toBeTruthy();
    expect(sent('POST')[0]?.body).toEqual({ setup_intent_id: 'seti_9', primary: false });
    expect(router.state.location.search).toBe('');
  });

  test('ignores invalid stored values', async () => {
    sessionStorage.setItem(PENDING, '{"setupIntentId":"../x"}');
    await open(`${PATH}?setup_intent=%3Cscript%3E`);
    expect(await screen.findByRole('heading', { name: 'No saved cards' })).toBeTruthy();
    expect(sent('POST')).toEqual([]);
  });
});

describe('choosing and deleting', () => {
  test('makes a card the primary card', async () => {
    cards = [visa, mastercard];
    await open();
    await choose('Mastercard ending in 4444', 'Make primary');
    expect(await screen.findByText(/4444 is your primary card now/)).toBeTruthy();
    expect(sent('POST')[0]?.path).toBe(`/payment_cards/${mastercard.id}/primary`);
    await waitFor(() => expect(sent('GET').length).toBeGreaterThan(1));
  });

  test('shows why a choice was refused, and reloads the list', async () => {
    cards = [visa, mastercard];
    answer = (call) =>
      call.endsWith('/primary') ? refusal('card_expired', 'That card has expired.') : undefined;
    await open();
    await choose('Mastercard ending in 4444', 'Make primary');
    expect(await screen.findByText('That card has expired.')).toBeTruthy();
    await waitFor(() => expect(sent('GET').length).toBeGreaterThan(1));
  });

  test('explains a deletion first, and then names the new primary card', async () => {
    cards = [visa, mastercard];
    answer = (call) =>
      call.startsWith('DELETE')
        ? success({ id: visa.id, promoted: { ...mastercard, primary: true } })
        : undefined;
    await open();
    await choose('Visa ending in 4242', 'Delete');
    const dialog = screen.getByRole('dialog', { name: /^Delete Visa ••••\s4242\?$/ });
    expect(within(dialog).getByText('Mastercard •••• 4444 becomes your primary card.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Keep this card' }));
    expect(sent('DELETE')).toEqual([]);
    await choose('Visa ending in 4242', 'Delete');
    cards = [{ ...mastercard, primary: true }];
    await user.click(screen.getByRole('button', { name: 'Delete this card' }));
    expect(
      await screen.findByText('Visa •••• 4242 is deleted. Mastercard •••• 4444 is your primary card now.'),
    ).toBeTruthy();
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  test.each([
    ['the last card', [visa], 'This is your only saved card. You can still enter a card when you pay.'],
    [
      'the only valid card',
      [visa, { ...mastercard, expired: true, status: 'expired' as const }],
      'Your other cards have expired, so you’ll have no primary card.',
    ],
  ])('explains the effect of deleting %s', async (_, given, text) => {
    cards = given;
    await open();
    await choose('Visa ending in 4242', 'Delete');
    expect(screen.getByText(text)).toBeTruthy();
  });

  const toppedUp = (name: string, paymentCardId: string) =>
    buildTripCard({
      name,
      auto_top_up: {
        threshold: 500,
        amount: 2000,
        payment_card_id: paymentCardId,
        max_per_day: 1,
        state: 'ok',
        next_try_at: null,
      },
    });

  test.each([
    ['one', [toppedUp('Blue', visa.id), toppedUp('Red', mastercard.id)], 'Blue is no longer topped up'],
    ['two', [toppedUp('Blue', visa.id), toppedUp('Red', visa.id)], 'Blue and Red are no longer topped up'],
    ['the trip cards are unknown', null, 'A trip card that it tops up automatically is no longer topped up'],
  ])(
    'explains first what happens to trip cards that are topped up with the card: %s',
    async (_, given, text) => {
      cards = [visa, mastercard];
      tripCards = given;
      await open();
      await choose('Visa ending in 4242', 'Delete');
      const dialog = within(screen.getByRole('dialog'));
      expect(await dialog.findByText(`${text} until you choose another payment card there.`)).toBeTruthy();
    },
  );

  test('does not mention trip cards if none is topped up with the card', async () => {
    cards = [visa, mastercard];
    tripCards = [buildTripCard(), toppedUp('Red', mastercard.id)];
    await open();
    await choose('Visa ending in 4242', 'Delete');
    await waitFor(() => expect(screen.queryByText(/topped up/)).toBeNull());
  });

  test('keeps the dialog open on a failure, and treats a missing card as deleted', async () => {
    cards = [visa];
    let status = 503;
    answer = (call) => {
      if (!call.startsWith('DELETE')) return undefined;
      return status === 404
        ? refusal('not_found', 'Not there.', { status })
        : refusal('internal_server_error', 'x', { status });
    };
    await open();
    await choose('Visa ending in 4242', 'Delete');
    await user.click(screen.getByRole('button', { name: 'Delete this card' }));
    expect(await screen.findByText('Something went wrong and has been reported.')).toBeTruthy();
    status = 404;
    cards = [];
    await user.click(screen.getByRole('button', { name: 'Delete this card' }));
    expect(await screen.findByRole('heading', { name: 'No saved cards' })).toBeTruthy();
  });
});
