import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, buildCatalogue, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PLACES = [
  { lat: 47.95, lon: -122.42 },
  { lat: 48.03, lon: -122.59 },
  { lat: 48.44, lon: -123.3 },
];

function catalogueWithPlaces() {
  const { ports } = buildCatalogue();
  return buildCatalogue({ ports: ports.map((port, index) => ({ ...port, ...PLACES[index] })) });
}

const sketch = () => document.querySelector('form svg[viewBox="0 0 320 220"]');

test('the map names the ports, follows the choice, and hides its drawing from screen readers', async () => {
  answerApi({ 'GET /api/catalogue': () => success(catalogueWithPlaces()) });
  await visit('/orders/new');
  await waitFor(() => expect(sketch()).not.toBeNull(), { timeout: 5000 });
  expect(sketch()?.getAttribute('aria-hidden')).toBe('true');
  const names = () => [...(sketch()?.querySelectorAll('text') ?? [])].map((text) => text.textContent);
  expect(names()).toEqual(expect.arrayContaining(['Port Madrona', 'Heron Island', 'Fairwater']));
  const before = sketch()?.innerHTML;
  await userEvent.selectOptions(screen.getByLabelText('To'), 'Fairwater');
  expect(sketch()?.innerHTML).not.toBe(before);
});

test('without the ports’ coordinates there is no map', async () => {
  answerApi();
  await visit('/orders/new');
  await screen.findByLabelText('To');
  expect(sketch()).toBeNull();
});

test('the first port tapped on the map becomes the origin, the next one the destination', async () => {
  answerApi({ 'GET /api/catalogue': () => success(catalogueWithPlaces()) });
  await visit('/orders/new');
  const tap = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  const chosen = () =>
    ['From', 'To'].map((label) => {
      // happy-dom's `selectedOptions` may be those of an earlier value.
      const { options, value } = screen.getByLabelText<HTMLSelectElement>(label);
      return [...options].find((option) => option.value === value)?.textContent;
    });
  expect(screen.queryByRole('button', { name: /Fairwater$/ })).toBeNull();
  await tap('From Heron Island');
  expect(screen.getByText('From Heron Island. Now tap where you are going.')).toBeTruthy();
  await tap('To Port Madrona');
  expect(chosen()).toEqual(['Heron Island', 'Port Madrona']);
  await tap('From Port Madrona');
  await tap('To Fairwater');
  expect(chosen()).toEqual(['Port Madrona', 'Fairwater']);
  expect(screen.getByText('Tap where you start, then where you are going.')).toBeTruthy();
});

/** A boat that left some minutes ago and takes forty. */
function boat(minutesAgo: number, over: object = {}) {
  const departs = Date.now() - minutesAgo * 60_000;
  return {
    vessel_name: 'MV Osprey',
    origin_port_id: 'prt_a',
    destination_port_id: 'prt_b',
    departs_at: new Date(departs).toISOString(),
    arrives_at: new Date(departs + 40 * 60_000).toISOString(),
    delay_minutes: 0,
    ...over,
  };
}

function answerStatus(boats: readonly object[]) {
  const status = {
    notices: [{ about: 'Heron Island', text: 'The café is closed.' }],
    boats,
    coastline: { land: 'M0 0L9 0L9 9Z', shores: '' },
    as_of: new Date().toISOString(),
  };
  answerApi({
    'GET /api/catalogue': () => success(catalogueWithPlaces()),
    'GET /api/service_status': () => success(status),
  });
}

test('the map shows land and the boats under way, and says where they are going', async () => {
  answerStatus([boat(20), boat(20, { vessel_name: 'Late', delay_minutes: 30 }), boat(50)]);
  await visit('/orders/new');
  await screen.findByText('1 boat is under way.');
  expect(
    screen.getByText(/^MV Osprey is under way to Heron Island and arrives at \d+:\d\d [AP]M\.$/),
  ).toBeTruthy();
  expect(sketch()?.querySelector('path')?.getAttribute('d')).toBe('M0 0L9 0L9 9Z');
  // Two of them are the ends of the chosen trip.
  expect(sketch()?.querySelectorAll('circle[r="6"]')).toHaveLength(3);
});

test('the boats move every minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
  answerStatus([boat(39)]);
  await visit('/orders/new');
  await screen.findByText('1 boat is under way.');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText('No boat is under way.')).toBeTruthy();
  vi.useRealTimers();
});

test('what the operator says today stands below the heading, with what it is about', async () => {
  answerStatus([]);
  await visit('/orders/new');
  const notice = await screen.findByText('The café is closed.');
  expect(notice.closest('header')?.textContent).toContain('Heron Island');
});
