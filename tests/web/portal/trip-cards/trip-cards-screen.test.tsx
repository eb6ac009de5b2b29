import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MoneyCard, TripCard } from '#contract/trip-cards/schemas.ts';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { PLACEHOLDER } from '#web/platform/saved-data/screen-snapshot.ts';
import { startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { refusal, stepUpRefusal } from '../refusal.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';
import {
  buildAutoTopUp,
  buildPass,
  buildTripCard,
  CARD_ID,
  minutesAgo,
  NOW,
  OTHER_ID,
} from './build-trip-card.ts';

let cards: TripCard[];
let answer: (path: string, method: string, body: unknown) => Response | Promise<Response> | undefined;
let requests: ReturnType<typeof answerApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  cards = [buildTripCard()];
  answer = () => undefined;
  requests = answerApi(({ url, init }) => {
    const path = url.pathname.replace('/api/customers', '');
    const method = init.method ?? 'GET';
    const special = answer(path, method, init.body ? JSON.parse(String(init.body)) : null);
    if (special !== undefined) return special;
    if (path === '/trip_cards' && method === 'GET') return listAnswer(cards);
    return path.endsWith('/offline_code') ? success(CODE) : undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const CODE = {
  payload: 'GC1.code',
  key_id: 'k1',
  balance: 3450,
  currency: 'USD',
  as_of: minutesAgo(0),
  valid_until: minutesAgo(-1440),
};

const sent = (method: string, path: string) =>
  requests.filter(({ url, init }) => (init.method ?? 'GET') === method && url === `/api/customers${path}`);
const bodyOf = (method: string, path: string) => JSON.parse(String(sent(method, path).at(-1)?.init.body));
const keysOf = (path: string) =>
  sent('POST', path).map(({ init }) => new Headers(init.headers).get('idempotency-key'));
const card = (name: string) => screen.findByRole('article', { name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const dialog = () => screen.findByRole('dialog');
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function choose(name: string, item: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More for ${name}` }));
  await userEvent.click(screen.getByRole('menuitem', { name: item }));
  return dialog();
}

describe('the list of trip cards', () => {
  test('shows name, last four, status, and the balance with its time', async () => {
    await visitPortal('/trip_cards');
    await waitFor(() => expect(document.title).toBe('Trip Cards | Sound Ferries'));
    const text = (await card('Family card')).textContent;
    expect(text).toContain('Card ending 3280');
    expect(text).toContain('Ready to use');
    expect(text).toContain('Balance: $34.50 as of 2:02 PM today');
  });

  test('shows the amount a card still owes, and that the next top-up pays it', async () => {
    cards = [buildTripCard({ balance: 0, available: 0, owed: 1500 })];
    await visitPortal('/trip_cards');
    expect((await card('Family card')).textContent).toMatch(
      /\$15\.00 still to pay.*Your next top-up pays this first/,
    );
  });

  test('marks a balance of the day before yesterday as last known', async () => {
    cards = [buildTripCard({ as_of: minutesAgo(60 * 30) })];
    await visitPortal('/trip_cards');
    expect((await card('Family card')).textContent).toMatch(/\$34\.50 last known, Jun 4, 8:02 AM/);
  });

  test('announces an automatic top-up only for fresh data, and never on a saved screen', async () => {
    cards = [buildTripCard({ balance: 900, low_balance_at: 1500, auto_top_up: buildAutoTopUp() })];
    await visitPortal('/trip_cards');
    await card('Family card');
    expect(screen.getByText('An automatic top-up is on its way.').getAttribute(PLACEHOLDER)).toBe('');
    act(() => markUnavailable());
    expect(screen.queryByText(/on its way/)).toBeNull();
    expect(screen.getByText('We email you when it falls below $15.00.')).toBeTruthy();
  });

  test('offers to get a card when there is none', async () => {
    cards = [];
    await visitPortal('/trip_cards');
    expect(await screen.findByText('No trip cards yet')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Get a new card' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Add a plastic card' })).toBeTruthy();
  });

  test('offers a retry when loading fails', async () => {
    answer = (path) => (path === '/trip_cards' ? json({}, 500) : undefined);
    await visitPortal('/trip_cards');
    expect(await screen.findByText('Your trip cards could not be loaded')).toBeTruthy();
    answer = () => undefined;
    await press('Try again');
    expect(await card('Family card')).toBeTruthy();
  });

  test('offers only what the role of a shared card allows', async () => {
    cards = [
      buildTripCard({ id: OTHER_ID, role: 'top_up', number: null, name: 'Nan’s' }),
      buildTripCard({ role: 'spend', number: null }),
    ];
    await visitPortal('/trip_cards');
    const topUpCard = within(await card('Nan’s'));
    expect(topUpCard.getByText('Shared with you: you may top it up.')).toBeTruthy();
    expect(topUpCard.getByRole('link', { name: 'Top up Nan’s' })).toBeTruthy();
    expect(topUpCard.queryByRole('button')).toBeNull();
    const spendCard = within(await card('Family card'));
    const links = spendCard.getAllByRole('link').map((link) => link.textContent);
    expect(links).toEqual(['Show code of Family card']);
  });

  test('lists lost cards separately, with the card that holds their balance', async () => {
    cards = [
      buildTripCard({ id: OTHER_ID, last_four: '1111', replaces_card_id: CARD_ID }),
      buildTripCard({ status: 'lost', balance: 0, replaced_by_card_id: OTHER_ID }),
    ];
    await visitPortal('/trip_cards');
    const lost = await card('Family card, ending 3280');
    expect(lost.textContent).toContain('This card no longer works.');
    expect(lost.textContent).toContain('moved to the card ending 1111');
  });
});

describe('the code of a trip card', () => {
  test('is shown full screen with the number, and the back button closes it', async () => {
    const { router } = await visitPortal('/trip_cards');
    const link = await screen.findByRole('link', { name: 'Show code of Family card' });
    await userEvent.click(link);
    const view = within(await screen.findByRole('dialog', { name: 'Family card' }));
    expect(await view.findByRole('img', { name: /^Code of Family card/ })).toBeTruthy();
    expect(view.getByText('9605 9470 5345 3280')).toBeTruthy();
    expect(view.getByText(/works without a connection until Jun 6, 2:02 PM/)).toBeTruthy();
    await router.navigate(-1);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(link);
  });

  test('opens for the first card that can pay when the app’s shortcut is used', async () => {
    cards = [buildTripCard({ id: OTHER_ID, status: 'frozen', name: 'Frozen' }), buildTripCard()];
    await visitPortal('/trip_cards?show=next');
    expect(await screen.findByRole('dialog', { name: 'Family card' })).toBeTruthy();
  });

  test('is not shown once it has expired', async () => {
    answer = (path) =>
      path.endsWith('/offline_code') ? success({ ...CODE, valid_until: minutesAgo(1) }) : undefined;
    await visitPortal('/trip_cards');
    await userEvent.click(await screen.findByRole('link', { name: 'Show code of Family card' }));
    expect(await screen.findByText(/This code is out of date/)).toBeTruthy();
  });

  test('is not offered for a frozen card', async () => {
    cards = [buildTripCard({ status: 'frozen' })];
    await visitPortal('/trip_cards');
    expect(await screen.findByText('This card is frozen')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /code/ })).toBeNull();
  });
});

describe('adding a trip card', () => {
  test('creates a card and moves the focus to it', async () => {
    answer = (path, method) => {
      if (path !== '/trip_cards' || method !== 'POST') return undefined;
      cards = [...cards, buildTripCard({ id: OTHER_ID, name: 'Work' })];
      return success(cards[1]);
    };
    await visitPortal('/trip_cards');
    await card('Family card');
    await press('Get a new card');
    await dialog();
    await waitFor(() => expect(isBusy()).toBe(true));
    await userEvent.type(screen.getByLabelText(/^Name/), 'Work{Enter}');
    await waitFor(async () => expect(document.activeElement).toBe(await card('Work')));
    expect(bodyOf('POST', '/trip_cards')).toEqual({ name: 'Work' });
    expect(keysOf('/trip_cards')[0]).toMatch(/^[0-9a-f-]{36}$/);
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('finds a typing error in the number of a plastic card before sending it', async () => {
    await visitPortal('/trip_cards');
    await card('Family card');
    await press('Add a plastic card');
    await dialog();
    await userEvent.type(screen.getByLabelText('Card number'), '9605 9470 5345 3281');
    await press('Add card');
    const summary = await within(await dialog()).findByRole('alert');
    expect(document.activeElement).toBe(summary);
    expect(within(summary).getAllByRole('link')).toHaveLength(2);
    expect(screen.getByLabelText('Card number').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText('PIN').getAttribute('aria-invalid')).toBe('true');
    expect(sent('POST', '/trip_cards')).toHaveLength(0);
  });

  test('shows an error beside the number if number and PIN do not match a card', async () => {
    answer = (path, method) =>
      path === '/trip_cards' && method === 'POST'
        ? refusal('trip_card_refused', 'We do not know that card.')
        : undefined;
    await visitPortal('/trip_cards');
    await card('Family card');
    await press('Add a plastic card');
    await dialog();
    await userEvent.type(screen.getByLabelText('Card number'), '9605 9470 5345 3280');
    await userEvent.type(screen.getByLabelText('PIN'), '1234');
    await press('Add card');
    await screen.findByRole('link', { name: 'We do not know that card.' });
    expect(screen.getByLabelText('Card number').getAttribute('aria-invalid')).toBe('true');
    expect(bodyOf('POST', '/trip_cards')).toEqual({ number: '9605947053453280', pin: '1234' });
  });
});

describe('a customer’s own card', () => {
  const at = (rest: string) => `/trip_cards/${CARD_ID}${rest}`;

  test('can be renamed', async () => {
    answer = (path, method) => {
      if (path !== at('') || method !== 'PATCH') return undefined;
      cards = [buildTripCard({ name: 'Holiday' })];
      return success(cards[0]);
    };
    await visitPortal('/trip_cards');
    await choose('Family card', 'Rename');
    const field = screen.getByLabelText('Name');
    await userEvent.clear(field);
    await press('Save');
    await screen.findByRole('link', { name: 'Enter a name.' });
    await userEvent.type(field, 'Holiday{Enter}');
    expect(await card('Holiday')).toBeTruthy();
    expect(bodyOf('PATCH', at(''))).toEqual({ name: 'Holiday' });
  });

  test('can be frozen and unfrozen', async () => {
    answer = (path, method) => {
      if (method !== 'POST') return undefined;
      cards = [buildTripCard({ status: path.endsWith('/unfreeze') ? 'active' : 'frozen' })];
      return success(cards[0]);
    };
    await visitPortal('/trip_cards');
    await userEvent.click(await screen.findByRole('button', { name: 'More for Family card' }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Freeze' }));
    expect(await screen.findByText('This card is frozen')).toBeTruthy();
    await press('Unfreeze');
    expect(await screen.findByText('Ready to use')).toBeTruthy();
  });

  test('can get a low-balance alert and turn it off', async () => {
    answer = (path, method, body) => {
      if (path !== at('') || method !== 'PATCH') return undefined;
      cards = [buildTripCard(body as Partial<MoneyCard>)];
      return success(cards[0]);
    };
    await visitPortal('/trip_cards');
    await choose('Family card', 'Low-balance alert');
    await userEvent.type(screen.getByLabelText('Below (USD)'), 'ten{Enter}');
    await screen.findByRole('link', { name: 'Enter an amount, like 10.00.' });
    await userEvent.clear(screen.getByLabelText('Below (USD)'));
    await userEvent.type(screen.getByLabelText('Below (USD)'), '$10.5{Enter}');
    expect(await screen.findByText('We email you when it falls below $10.50.')).toBeTruthy();
    expect(bodyOf('PATCH', at(''))).toEqual({ low_balance_at: 1050 });
    await isClosed();
    await choose('Family card', 'Low-balance alert');
    await userEvent.click(screen.getByRole('switch'));
    await press('Save');
    await waitFor(() => expect(bodyOf('PATCH', at(''))).toEqual({ low_balance_at: null }));
  });

  test('can be reported lost after a step-up, and is replaced by a new card', async () => {
    let isFresh = false;
    answer = (path) => {
      if (path.endsWith('/reauthenticate')) {
        isFresh = true;
        return success({ token: 'gw_fresh' });
      }
      if (path !== at('/lost')) return undefined;
      if (!isFresh) return stepUpRefusal('password');
      cards = [
        buildTripCard({ id: OTHER_ID, last_four: '1111', replaces_card_id: CARD_ID }),
        buildTripCard({ status: 'lost', replaced_by_card_id: OTHER_ID }),
      ];
      return success(cards[0]);
    };
    await visitPortal('/trip_cards');
    const open = await choose('Family card', 'Report lost');
    expect(open.textContent).toContain('stops working for good');
    expect(open.textContent).toContain('$34.50');
    await userEvent.click(within(open).getByRole('button', { name: 'Report lost' }));
    const proof = await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    await userEvent.type(within(proof).getByLabelText('Password'), 'secret{Enter}');
    expect(await card('Family card, ending 3280')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.id).toBe(`trip-card-${OTHER_ID}`));
    expect(new Set(keysOf(at('/lost'))).size).toBe(1);
  });

  test('moves money once, however often the response is lost', async () => {
    cards = [buildTripCard(), buildTripCard({ id: OTHER_ID, name: 'Work', balance: 0, last_four: '1111' })];
    let isCutOff = true;
    answer = (path) => {
      if (path !== at('/transfers')) return undefined;
      if (isCutOff) return Promise.reject(new TypeError('cut off'));
      return success({});
    };
    await visitPortal('/trip_cards');
    await choose('Family card', 'Move money');
    expect(document.activeElement).toBe(screen.getByLabelText('To'));
    await userEvent.type(screen.getByLabelText('Amount (USD)'), '50{Enter}');
    await screen.findByRole('link', { name: 'Enter $34.50 at most.' });
    await userEvent.clear(screen.getByLabelText('Amount (USD)'));
    await userEvent.type(screen.getByLabelText('Amount (USD)'), '10{Enter}');
    await waitFor(() => expect(keysOf(at('/transfers'))).toHaveLength(1));
    isCutOff = false;
    await press('Move');
    await isClosed();
    const keys = keysOf(at('/transfers'));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(bodyOf('POST', at('/transfers'))).toEqual({ to_card_id: OTHER_ID, amount: 1000 });
  });

  test('offers to move money only with a balance and another card', async () => {
    const other = buildTripCard({ id: OTHER_ID, name: 'Work', balance: 0, available: 0 });
    const items = async (name: string) => {
      await userEvent.click(within(await card(name)).getByRole('button', { name: `More for ${name}` }));
      const opened = within(screen.getAllByRole('menu').at(-1) as HTMLElement);
      const labels = opened.getAllByRole('menuitem').map(({ textContent }) => textContent);
      await userEvent.keyboard('{Escape}');
      return labels;
    };
    await visitPortal('/trip_cards');
    expect(await items('Family card')).not.toContain('Move money');
    cleanup();
    cards = [buildTripCard(), other];
    await visitPortal('/trip_cards');
    expect(await items('Family card')).toContain('Move money');
    expect(await items('Work')).not.toContain('Move money');
  });

  test('offers the top-up first while it is empty, and shows its number if it has no name', async () => {
    cards = [buildTripCard({ name: 'Trip card', balance: 0, available: 0 })];
    await visitPortal('/trip_cards');
    const view = within(await card('Trip card ending 3280'));
    const topUp = view.getByRole('link', { name: 'Top up Trip card ending 3280' });
    const code = view.getByRole('link', { name: 'Show code of Trip card ending 3280' });
    expect(topUp.compareDocumentPosition(code) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(view.queryByText('Card ending 3280')).toBeNull();
  });

  test('can be shared with an email address, and the share can be ended', async () => {
    const share = {
      id: 'shr_00000000000000000000000001',
      email: 'lee@example.com',
      role: 'spend_and_view',
      daily_limit: 2000,
      status: 'invited',
      inserted_at: minutesAgo(0),
    } as const;
    answer = (path, method) => {
      if (path === at('/shares') && method === 'POST') {
        cards = [buildTripCard({ shared_with: [share] })];
        return success(share);
      }
      if (method !== 'DELETE') return undefined;
      cards = [buildTripCard()];
      return success(null);
    };
    await visitPortal('/trip_cards');
    await choose('Family card', 'Share');
    expect(document.activeElement).toBe(screen.getByLabelText('Their email'));
    await press('Share');
    await screen.findByRole('link', { name: /^Enter an email address/ });
    await userEvent.type(screen.getByLabelText('Their email'), 'lee@example.com');
    await userEvent.click(screen.getByLabelText('Pay with it and see its history'));
    await userEvent.type(screen.getByLabelText(/^Their daily limit/), '20');
    await press('Share');
    const row = within(await screen.findByRole('list', { name: 'Shared with' }));
    expect(row.getByText(/\$20\.00 a day at most, not opened yet/)).toBeTruthy();
    expect(bodyOf('POST', at('/shares'))).toEqual({
      email: 'lee@example.com',
      role: 'spend_and_view',
      daily_limit: 2000,
    });
    await press('Stop sharing with lee@example.com');
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Shared with' })).toBeNull());
    expect(sent('DELETE', at(`/shares/${share.id}`))).toHaveLength(1);
  });

  test('downloads a statement for the chosen days', async () => {
    const urls: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      urls.push(blob as Blob);
      return 'blob:x';
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
    answer = (path) =>
      path.endsWith('/statement')
        ? new Response('\ufeffNumber\r\n', {
            headers: { 'content-disposition': 'attachment; filename="trip-card-3280.csv"' },
          })
        : undefined;
    await visitPortal('/trip_cards');
    await choose('Family card', 'Statement');
    await userEvent.click(screen.getByLabelText('CSV, for a spreadsheet'));
    await press('Download');
    await isClosed();
    expect(sent('GET', at('/statement?from=2026-05-07&format=csv'))).toHaveLength(1);
    expect(click).toHaveBeenCalledOnce();
    expect(await urls[0]?.text()).toContain('Number');
  });

  test('shows why a statement could not be made', async () => {
    answer = (path) =>
      path.endsWith('/statement') ? refusal('not_found', 'That is not there.', { status: 404 }) : undefined;
    await visitPortal('/trip_cards');
    await choose('Family card', 'Statement');
    await press('Download');
    expect(await screen.findByText('That is not there.')).toBeTruthy();
  });
});

describe('a pass', () => {
  test('shows its trips and its last day, and can be bought again', async () => {
    cards = [buildPass()];
    await visitPortal('/trip_cards');
    const article = within(await screen.findByRole('article', { name: '10-trip pass' }));
    expect(article.getByText('10 trips')).toBeTruthy();
    expect(article.getByText('Travel by Jun 5, 2027.')).toBeTruthy();
    expect(article.getByRole('link', { name: 'Buy 10-trip pass again' })).toBeTruthy();
    expect(article.queryByRole('link', { name: /^Top up/ })).toBeNull();
  });

  test('shows no code once it has expired', async () => {
    cards = [buildPass({ valid_until: '2026-06-01', expires_at: '2026-06-02T07:00:00.000Z' })];
    await visitPortal('/trip_cards');
    const article = within(await screen.findByRole('article', { name: '10-trip pass' }));
    expect(article.getByText('Expired')).toBeTruthy();
    expect(article.getByText('Expired on Jun 1, 2026.')).toBeTruthy();
    expect(article.queryByRole('link', { name: /^Show code/ })).toBeNull();
  });

  test('is shared and watched in trips, and never moved', async () => {
    cards = [buildPass(), buildTripCard({ id: OTHER_ID })];
    await visitPortal('/trip_cards');
    await choose('10-trip pass', 'Low-balance alert');
    expect(screen.getByLabelText('Below (trips)')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'More for 10-trip pass' }));
    expect(screen.queryByRole('menuitem', { name: 'Move money' })).toBeNull();
  });
});
