import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TICKETS, TOKEN } from '../platform/page.ts';
import { press } from './purchase-steps.ts';
import { answerApi, currentDraft, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  startSession(TOKEN);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  openPage(`${TICKETS}/`);
  vi.unstubAllGlobals();
});

const BACK = { origin_port_id: 'prt_b', destination_port_id: 'prt_a' };
const ELSEWHERE = { origin_port_id: 'prt_a', destination_port_id: 'prt_c' };
/** No boat goes this way any more. */
const CLOSED = { origin_port_id: 'prt_c', destination_port_id: 'prt_b' };

function answerFavorites(favorites: object[]) {
  return answerApi({
    'GET /api/customers/sessions/ping': () => json({ success: true, errorCode: null }),
    'GET /api/customers/favorite_routes': () => success(favorites),
  });
}

describe('the usual routes of a customer', () => {
  test('fill in both ports by one press, if boats still go there, and leave the rest of the trip', async () => {
    answerFavorites([BACK, CLOSED, ELSEWHERE]);
    await visit('/');
    await press('More: Child');
    const list = await screen.findByRole('list', { name: 'Your usual routes' });
    expect(
      within(list)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Heron Island → Port Madrona', 'Port Madrona → Fairwater']);
    await press('Heron Island → Port Madrona');
    expect(currentDraft().trip).toMatchObject({ from: 'prt_b', to: 'prt_a', passengers: { child: 1 } });
    expect(
      within(list)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-pressed')),
    ).toEqual(['true', 'false']);
  });

  test('are not shown to a customer without any', async () => {
    const api = answerFavorites([]);
    await visit('/');
    await waitFor(() => expect(api.to('GET /api/customers/favorite_routes')).toHaveLength(1));
    expect(screen.queryByRole('list', { name: 'Your usual routes' })).toBeNull();
  });

  test('are not asked for without a session', async () => {
    openPage(`${TICKETS}/`);
    const api = answerFavorites([BACK]);
    await visit('/');
    await screen.findByRole('button', { name: 'Show sailings' });
    expect(api.to('GET /api/customers/favorite_routes')).toEqual([]);
  });
});
