import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bookAgainPath } from '#web/features/order/book-again/book-again-path.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { openPage, TICKETS } from '../platform/page.ts';
import { buildLeg, buildSummary } from '../portal/build-order.ts';
import { answerApi, changeDraft, currentDraft, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  answerApi();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PARTY = {
  passengers: [
    { type: 'adult', count: 2 },
    { type: 'retired', count: 1 },
  ],
  vehicle: { type: 'car', length_cm: 549 },
  bicycles: 1,
};
const ports = (from: string, to: string) => ({
  origin: { code: from, name: from, lat: null, lon: null, address: '' },
  destination: { code: to, name: to },
});
const buildTrip = (over: object = {}) =>
  camelCased(buildSummary(1, { party: PARTY, legs: [buildLeg(24, ports('prt_a', 'prt_b'))], ...over }));

describe('bookAgainPath', () => {
  test('names both ends of a journey with a change of boats, and that there is a return', () => {
    const legs = [
      buildLeg(1, { leg: 'out', ...ports('prt_a', 'prt_b') }),
      buildLeg(3, { leg: 'out_onward', ...ports('prt_b', 'prt_c') }),
      buildLeg(30, { leg: 'back', ...ports('prt_c', 'prt_a') }),
    ];
    const query = new URL(bookAgainPath(buildTrip({ legs })) ?? '', TICKETS).searchParams;
    expect(['from', 'to', 'return'].map((name) => query.get(name))).toEqual(['prt_a', 'prt_c', '1']);
  });

  test('is null for an order that a device saved without its party', () => {
    expect(bookAgainPath(buildTrip({ party: undefined }))).toBeNull();
  });
});

describe('booking an order again', () => {
  test('fills in the form with the route and the party that can still be bought, and asks for the day', async () => {
    await visit(bookAgainPath(buildTrip()) ?? '');
    expect(await screen.findByRole('button', { name: 'Show sailings' })).toBeTruthy();
    expect(currentDraft().hasSearched).toBe(false);
    expect(currentDraft().trip).toMatchObject({
      ...{ tripType: 'one-way', from: 'prt_a', to: 'prt_b', passengers: { adult: 2 } },
      ...{ vehicle: 'car', length: '18 ft', bicycles: 1 },
    });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Under 18 ft' }).checked).toBe(true);
  });

  test('keeps a length that is none of the usual ones to the centimeter', async () => {
    const party = { ...PARTY, vehicle: { type: 'car', length_cm: 481 } };
    await visit(bookAgainPath(buildTrip({ party })) ?? '');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Exact length' });
    expect(field.value).toBe('4.81 m');
  });

  test('does not change a purchase with an unpaid order', async () => {
    changeDraft({ orderId: 'ord_1' });
    await visit(bookAgainPath(buildTrip()) ?? '');
    await screen.findByText('You have an unpaid order');
    expect(currentDraft().trip).toBeNull();
  });

  test('opens the sailings of a link whose party cannot be read, with the party chosen before', async () => {
    await visit('/?from=prt_a&to=prt_b&party=%7Bbroken');
    await screen.findByRole('heading', { name: 'Choose your sailing' });
  });
});
