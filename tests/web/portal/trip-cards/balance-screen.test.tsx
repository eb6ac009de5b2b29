import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TripCard, TripCardEntry } from '#contract/trip-cards/schemas.ts';
import { DESKTOP, PHONE, setScreenWidth } from '#tests/web/screen-width.ts';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { AGE, PLACEHOLDER } from '#web/platform/saved-data/screen-snapshot.ts';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TOKEN } from '../../platform/page.ts';
import { refusal } from '../refusal.ts';
import { answerApi, visitPortal } from '../visit-portal.tsx';
import { buildAutoTopUp, buildEntry, buildTripCard, CARD_ID, minutesAgo, NOW } from './build-trip-card.ts';

const PAGE = 50;
const PATH = `/trip_cards/${CARD_ID}/balance`;

let card: TripCard;
/** Newest first. */
let entries: TripCardEntry[];
let answer: (url: URL) => Response | undefined;
let requests: ReturnType<typeof answerApi>;

beforeEach(() => {
  setScreenWidth(PHONE);
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  card = buildTripCard();
  entries = historyOf(2);
  answer = () => undefined;
  requests = answerApi(({ url }) => {
    const special = answer(url);
    if (special !== undefined) return special;
    if (url.pathname.endsWith(CARD_ID)) return success(card);
    if (!url.pathname.endsWith('/balance')) return undefined;
    const before = Number(url.searchParams.get('before_seq') ?? Number.POSITIVE_INFINITY);
    const page = entries.filter(({ seq }) => seq < before).slice(0, PAGE);
    const last = page.at(-1)?.seq ?? 1;
    const data = { ...card, entries: page, next_before_seq: last > 1 ? last : null };
    const meta = { page: 1, page_size: PAGE, total_pages: 9, total_count: entries.length };
    return success(data, { meta });
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function historyOf(count: number): TripCardEntry[] {
  return Array.from({ length: count }, (_, index) => buildEntry(count - index));
}

const list = () => screen.findByRole('list', { name: 'Transactions, newest first' });
const rows = async () => within(await list()).getAllByRole('listitem');
const pagesAsked = () =>
  requests.filter(({ url }) => url.includes('/balance')).map(({ url }) => new URL(url, 'http://x').search);
const more = () => userEvent.click(screen.getByRole('button', { name: 'Show more' }));

describe('Trip Card Balance', () => {
  test('shows each entry with its kind, time, place, and the balance after it', async () => {
    entries = [
      buildEntry(2, { description: 'Port Madrona to Salt Point', place: 'Gate 3' }),
      buildEntry(1, { kind: 'top_up', amount: 5000, balance_after: 4300, description: '' }),
    ];
    await visitPortal(PATH);
    await waitFor(() => expect(document.title).toBe('Trip Card Balance | Sound Ferries'));
    expect((await rows()).map((row) => row.textContent)).toEqual([
      'Port Madrona to Salt Point-$8.50Today, 1:52 PM · Gate 3Balance $34.50',
      'Top-up+$50.00Today, 1:52 PMBalance $43.00',
    ]);
    expect(screen.getByText('$34.50').closest('p')?.textContent).toBe('Balance: $34.50 as of 2:02 PM today');
    expect(screen.queryByText(/set aside/)).toBeNull();
  });

  test('is a table on wide screens, of which the next page takes the focus', async () => {
    setScreenWidth(DESKTOP);
    entries = historyOf(60);
    await visitPortal(PATH);
    const table = within(await screen.findByRole('table', { name: 'Transactions, newest first' }));
    const cells = () =>
      table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
    expect(cells().slice(0, 2)).toEqual([
      ['What', 'When', 'Where', 'Amount', 'Balance'],
      [expect.any(String), 'Today, 1:52 PM', '', '-$8.50', '$34.50'],
    ]);
    const before = cells().length;
    await more();
    await waitFor(() => expect(cells().length).toBeGreaterThan(before));
    expect(document.activeElement).toBe(table.getAllByRole('row')[before]);
  });

  test('shows the amount held for a payment under way, and the amount that can be spent', async () => {
    card = buildTripCard({ held: 1000, available: 2450 });
    await visitPortal(PATH);
    expect(await screen.findByText(/\$10\.00 of it is set aside.*\$24\.50 can be spent\./)).toBeTruthy();
  });

  test('announces an automatic top-up only for fresh data, and never on a saved screen', async () => {
    card = buildTripCard({ balance: 900, auto_top_up: buildAutoTopUp() });
    await visitPortal(PATH);
    const line = await screen.findByText('An automatic top-up is on its way.');
    expect(line.getAttribute(PLACEHOLDER)).toBe('');
    act(() => markUnavailable());
    expect(screen.queryByText(/on its way/)).toBeNull();
    expect(screen.getByText('$9.00')).toBeTruthy();
  });

  test('loads more entries, shows their count, and moves the focus to the first new one', async () => {
    entries = historyOf(120);
    await visitPortal(PATH);
    expect(await rows()).toHaveLength(50);
    expect(screen.getByText('Showing 50 of 120')).toBeTruthy();
    await more();
    await waitFor(async () => expect(await rows()).toHaveLength(100));
    expect(document.activeElement).toBe((await rows())[50]);
    await more();
    await waitFor(async () => expect(await rows()).toHaveLength(120));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(pagesAsked()).toEqual(['', '?before_seq=71', '?before_seq=21']);
  });

  test('loads older entries only once when the list is refreshed', async () => {
    entries = historyOf(120);
    const { client } = await visitPortal(PATH);
    await rows();
    await more();
    await waitFor(async () => expect(await rows()).toHaveLength(100));
    await client.invalidateQueries();
    expect(pagesAsked()).toEqual(['', '?before_seq=71', '']);
  });

  test('keeps the loaded pages when the next one fails, and offers a retry', async () => {
    entries = historyOf(60);
    await visitPortal(PATH);
    await rows();
    answer = (url) => (url.searchParams.has('before_seq') ? json({}, 500) : undefined);
    await more();
    expect(await screen.findByText('More could not be loaded')).toBeTruthy();
    expect(await rows()).toHaveLength(50);
    answer = () => undefined;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await rows()).toHaveLength(60));
  });

  test('offers a top-up when there are no entries', async () => {
    entries = [];
    await visitPortal(PATH);
    expect(await screen.findByText('No transactions yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe(
      `/trip_cards/${CARD_ID}/top_ups`,
    );
  });

  test('links back when the card does not exist', async () => {
    answer = (url) =>
      url.pathname.includes('/trip_cards/')
        ? refusal('not_found', 'That is not there.', { status: 404 })
        : undefined;
    await visitPortal(PATH);
    expect(await screen.findByText('We could not find that trip card')).toBeTruthy();
  });

  test('shows no history to a customer who may only pay with the card', async () => {
    card = buildTripCard({ role: 'spend', number: null });
    await visitPortal(PATH);
    expect(await screen.findByText('This card’s owner has not shared its history with you.')).toBeTruthy();
  });

  test('reloads the entries when the card has a newer version', async () => {
    const { client } = await visitPortal(PATH);
    await rows();
    card = buildTripCard({ version: 4, as_of: minutesAgo(-1) });
    entries = [buildEntry(3, { description: 'News' }), ...entries];
    await client.invalidateQueries({ queryKey: ['trip-cards', 'card', CARD_ID] });
    expect(await screen.findByText('News')).toBeTruthy();
  });

  test('draws a chart of three entries or more, with a summary for screen readers', async () => {
    entries = [
      buildEntry(3, { balance_after: 3450, occurred_at: minutesAgo(10) }),
      buildEntry(2, { kind: 'top_up', balance_after: 8000, occurred_at: minutesAgo(60) }),
      buildEntry(1, { balance_after: 1200, occurred_at: minutesAgo(120) }),
    ];
    await visitPortal(PATH);
    await rows();
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'The balance was $12.00 on Jun 5, 12:02 PM, and $34.50 on Jun 5, 2:02 PM; ' +
        'between them $12.00 at the lowest and $80.00 at the highest.',
    );
    expect(screen.getByText('Balance over time').parentElement?.textContent).toContain('Top-up');
    expect(pagesAsked()).toEqual(['']);
  });

  describe('a balance saved the day before yesterday', () => {
    const DAYS = 2 * 24 * 60;

    beforeEach(() => {
      card = buildTripCard({ as_of: minutesAgo(DAYS) });
      entries = [10, 20, 30].map((minutes, index) =>
        buildEntry(3 - index, { occurred_at: minutesAgo(DAYS + minutes) }),
      );
    });

    test('shows the date of each entry instead of today', async () => {
      await visitPortal(PATH);
      expect((await rows()).map((row) => row.textContent)).toEqual([
        expect.stringContaining('Jun 3, 1:52 PM'),
        expect.stringContaining('Jun 3, 1:42 PM'),
        expect.stringContaining('Jun 3, 1:32 PM'),
      ]);
    });

    test('shows the date of the saved balance', async () => {
      await visitPortal(PATH);
      await rows();
      const chart = screen.getByRole('img');
      expect(chart.getAttribute('aria-label')).toMatch(/on Jun 3, 1:32 PM, and \$34\.50 on Jun 3, 2:02 PM;/);
      expect([...chart.querySelectorAll('time')].map((time) => time.textContent)).toEqual([
        'Jun 3, 1:32 PM',
        'Jun 3, 2:02 PM',
      ]);
    });
  });

  test('saves no snapshot text that would be wrong on another day', async () => {
    entries = [buildEntry(3), buildEntry(2), buildEntry(1, { occurred_at: minutesAgo(24 * 60) })];
    await visitPortal(PATH);
    await rows();
    const painted = screen.getByRole('main').cloneNode(true) as HTMLElement;
    for (const element of painted.querySelectorAll(`[${PLACEHOLDER}]`)) {
      element.textContent = element.getAttribute(PLACEHOLDER);
    }
    for (const element of painted.querySelectorAll(`[${AGE}]`)) element.textContent = '';
    expect(painted.textContent).toContain('Jun 5, 1:52 PM');
    expect(painted.textContent).toContain('Jun 4, 2:02 PM');
    expect(painted.outerHTML).not.toMatch(/today|yesterday/i);
  });

  test('draws a late entry at the time of the previous entry', async () => {
    entries = [
      buildEntry(3, { balance_after: 1000, occurred_at: minutesAgo(90) }),
      buildEntry(2, { balance_after: 2000, occurred_at: minutesAgo(60) }),
      buildEntry(1, { balance_after: 3000, occurred_at: minutesAgo(120) }),
    ];
    await visitPortal(PATH);
    await rows();
    const lines = [...screen.getByRole('img').querySelectorAll('path')].map((path) => path.getAttribute('d'));
    expect(lines).toContain('M0 0H300V33.3H300V66.7H600');
  });

  test('draws no chart of two entries', async () => {
    await visitPortal(PATH);
    await rows();
    expect(screen.queryByRole('img')).toBeNull();
  });
});
