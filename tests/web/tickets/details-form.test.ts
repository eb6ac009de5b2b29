import { beforeEach, expect, test } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { hasCompleteDetails } from '#web/tickets/details/details-form.ts';
import { type Draft, openPurchase } from '#web/tickets/purchase.ts';
import { currentTripSearch } from '#web/tickets/trip/trip-search.ts';
import { openPage, TICKETS } from '../platform/page.ts';
import { buildCatalogue } from './visit-tickets.tsx';

const catalogue = camelCased(buildCatalogue()) as Catalogue;
const NO_TERMS = { version: '1', text: [], acceptance: 'checkbox' as const };

beforeEach(() => {
  openPage(TICKETS);
});

/** The details of a buyer who takes a car. */
function buildDraft(over: Partial<Draft>): Draft {
  const draft = openPurchase().get();
  const trip = { ...currentTripSearch(draft.trip, catalogue, '2026-06-05'), vehicle: 'car' };
  const contact = { name: 'Ada', email: 'ada@example.com', phone: '' };
  return { ...draft, trip, contact, ...over };
}

test('a car needs a license plate, unless it is a rental whose plate is not known yet', () => {
  const isComplete = (over: Partial<Draft>) => hasCompleteDetails(catalogue, buildDraft(over), NO_TERMS);
  expect(isComplete({ plate: '' })).toBe(false);
  expect(isComplete({ plate: '5KJH 220' })).toBe(true);
  expect(isComplete({ plate: '', isRental: true })).toBe(true);
});
