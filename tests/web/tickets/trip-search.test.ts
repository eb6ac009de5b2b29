import { expect, onTestFinished, test } from 'vitest';
import { readLocalDay } from '#domain/format/dates.ts';
import { formatLength } from '#web/features/site/lengths.ts';
import { formatLongest, parseLength } from '#web/features/site/units.ts';
import { setTextLanguage } from '#web/language/page-language.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { findTripProblems } from '#web/tickets/trip/trip-problems.ts';
import {
  buildQuoteRequest,
  currentTripSearch,
  defaultTripSearch,
  destinationIds,
  findFromAmount,
  findRoute,
  findSailingsSearch,
  type TripSearch,
} from '#web/tickets/trip/trip-search.ts';
import { buildCatalogue } from './visit-tickets.tsx';

const catalogue = camelCased(buildCatalogue());
const today = '2026-06-05';

function trip(over: Partial<TripSearch> = {}): TripSearch {
  return { ...defaultTripSearch(catalogue, today), ...over };
}

function messages(over: Partial<TripSearch>): string[] {
  return Object.values(findTripProblems(catalogue, trip(over), 'imperial'));
}

test('the form starts with the first route, today and one passenger of the default type', () => {
  expect(trip()).toMatchObject({
    tripType: 'one-way',
    from: 'prt_a',
    to: 'prt_b',
    outDate: today,
    passengers: { adult: 1 },
  });
});

test('the lowest price is known only for one adult on foot, one way', () => {
  const price = (over: Partial<TripSearch>) => findFromAmount(catalogue, trip(over));
  expect(price({})).toBe(findRoute(catalogue, 'prt_a', 'prt_b')?.fromAmount);
  expect(price({})).toBeGreaterThan(0);
  expect(price({ passengers: { adult: 9 } })).toBeNull();
  expect(price({ passengers: { child: 1 } })).toBeNull();
  expect(price({ vehicle: 'car', length: '18' })).toBeNull();
  expect(price({ bicycles: 1 })).toBeNull();
  expect(price({ tripType: 'return' })).toBeNull();
});

test('the default date is not before the first day on sale', () => {
  expect(defaultTripSearch(catalogue, '2026-01-01').outDate).toBe('2026-06-01');
});

test('a form left open overnight moves to the first day on sale', () => {
  const kept = trip({ outDate: '2026-06-02', backDate: '2026-06-03' });
  expect(currentTripSearch(kept, catalogue, today)).toMatchObject({ outDate: today, backDate: today });
});

test('the search contains only the passengers of the trip', () => {
  expect(
    findSailingsSearch(catalogue, trip({ passengers: { adult: 2, child: 0 } }), 'out', 'imperial'),
  ).toEqual({ routeId: 'rte_ab', date: today, passengers: { adult: 2 } });
});

test('the search contains the vehicle, trailer and bicycles in centimetres', () => {
  const search = findSailingsSearch(
    catalogue,
    trip({ vehicle: 'car', length: '18 ft 6 in', hasTrailer: true, trailer: '10', bicycles: 2 }),
    'out',
    'imperial',
  );
  expect(search).toMatchObject({ vehicleType: 'car', lengthCm: 564, trailerCm: 305, bicycles: 2 });
});

test('the search omits sizes typed for another type of vehicle', () => {
  const search = findSailingsSearch(
    catalogue,
    trip({ vehicle: '', length: '18', height: '7' }),
    'out',
    'imperial',
  );
  expect(search).not.toHaveProperty('lengthCm');
  const car = findSailingsSearch(
    catalogue,
    trip({ vehicle: 'car', length: '18', height: '7' }),
    'out',
    'imperial',
  );
  expect(car).not.toHaveProperty('heightCm');
});

test('only a return trip searches return sailings, on their own date', () => {
  const back = findSailingsSearch(
    catalogue,
    trip({ tripType: 'return', backDate: '2026-06-07' }),
    'back',
    'imperial',
  );
  expect(back).toMatchObject({ routeId: 'rte_ba', date: '2026-06-07' });
  expect(findSailingsSearch(catalogue, trip(), 'back', 'imperial')).toBeNull();
});

test('ports without a direct boat are reached with a change, and searched by their ids', () => {
  expect(destinationIds(catalogue, 'prt_b')).toEqual(['prt_a', 'prt_c']);
  const search = findSailingsSearch(catalogue, trip({ from: 'prt_b', to: 'prt_c' }), 'out', 'imperial');
  expect(search).toEqual({
    ...{ originPortId: 'prt_b', destinationPortId: 'prt_c', date: today, passengers: { adult: 1 } },
  });
  const withoutChanges = {
    ...catalogue,
    ports: catalogue.ports.map((port) => ({ ...port, transferMinutes: null })),
  };
  expect(destinationIds(withoutChanges, 'prt_b')).toEqual(['prt_a']);
});

test('a quote request contains the party, the fare and the promo code, but no prices', () => {
  const party = trip({ passengers: { adult: 1, child: 2 }, promoCode: ' HARBOR10 ' });
  const legs = [{ sailingId: 'sai_1' }, { sailingId: 'sai_2' }];
  const request = buildQuoteRequest(catalogue, party, 'imperial', legs, 'flex');
  expect(request).toEqual({
    legs,
    passengers: [
      { type: 'adult', count: 1 },
      { type: 'child', count: 2 },
    ],
    vehicle: null,
    bicycles: 0,
    fareClass: 'flex',
    promoCode: 'HARBOR10',
  });
});

test('findTripProblems explains everything that prevents a search', () => {
  expect(messages({})).toEqual([]);
  expect(messages({ passengers: {} })).toEqual(['Choose at least one passenger.']);
  expect(messages({ passengers: { child: 1 } })).toEqual([
    'Children travel with an adult. Please add an adult.',
  ]);
  expect(messages({ outDate: '' })).toEqual(['Choose the day you leave.']);
  expect(messages({ tripType: 'return', outDate: '2026-06-09', backDate: '2026-06-08' })).toEqual([
    'The return is before the day you leave.',
  ]);
  expect(messages({ tripType: 'return', to: 'prt_c' })).toEqual([
    'This route has no return sailings. Choose one way.',
  ]);
  expect(messages({ to: 'prt_c', vehicle: 'car', length: '15' })).toContain(
    'This route carries no vehicles. Choose another route, or go on foot.',
  );
  expect(messages({ vehicle: 'car' })).toEqual(['Choose the length of your vehicle, or enter it.']);
  expect(messages({ vehicle: 'car', length: 'long' })).toEqual(['Enter the length, like 18 ft 6 in.']);
  expect(messages({ vehicle: 'car', length: '22' })).toEqual([]);
  expect(messages({ vehicle: 'car', length: '22 ft 1 in' })).toEqual([
    'The length can be at most 22 ft on this route.',
  ]);
  expect(messages({ vehicle: 'car', length: '2' })).toEqual([
    'Check the length. It is too small for this vehicle.',
  ]);
});

test.each([
  ['20', 610],
  ['22', 671],
  ['18.5', 564],
  ['18,5', 564],
  ['18 ft 6 in', 564],
  ['18\'6"', 564],
  ['18 feet', 549],
  ['18’', 549],
  ['17’6”', 533],
  ["17' 6''", 533],
  ['17 ft. 6 in.', 533],
  ['210 in', 533],
  ['5.4 m', 540],
  ['5 m 40', 540],
  ['540 cm', 540],
  ['0.1', 3],
])('%s is parsed where a bare number is feet', (text, cm) => {
  expect(parseLength(text, 'imperial')).toBe(cm);
});

test.each([
  ['5.64', 564],
  ['5,64 m', 564],
  ['564 cm', 564],
  ['4.35', 435],
  ['5m40', 540],
  ["18'", 549],
  ['17 ft 6 in', 533],
  ['5,4 mètres', 540],
])('%s is parsed where a bare number is metres', (text, cm) => {
  expect(parseLength(text, 'metric')).toBe(cm);
});

test.each(['', 'long', '-5', '5 6 7', '1e3', '٥'])('%j is not a length', (text) => {
  expect(parseLength(text, 'imperial')).toBeNull();
  expect(parseLength(text, 'metric')).toBeNull();
});

test('a length typed in whole inches is formatted as it was typed', () => {
  for (let inches = 12; inches <= 960; inches += 1) {
    const cm = parseLength(`${Math.floor(inches / 12)} ft ${inches % 12} in`, 'imperial') ?? 0;
    const shown = formatLength(cm, 'imperial');
    expect(parseLength(shown, 'imperial')).toBe(cm);
    expect(shown.startsWith(`${Math.floor(inches / 12)} ft`)).toBe(true);
  }
  expect(formatLength(560, 'metric')).toBe('5.6 m');
});

test.each([
  ['en-US', '5.6 m', '18 ft 6 in'],
  ['de', '5,6 m', '18 ft 6 in'],
  ['nb', '5,6 m', '18 ft 6 in'],
  ['fr', '5,6 m', '18 ft 6 in'],
])('a length in %s is written as %s or %s, and read again', (language, metric, imperial) => {
  setTextLanguage(language);
  onTestFinished(() => setTextLanguage('en-US'));
  expect([formatLength(560, 'metric'), formatLength(564, 'imperial')]).toEqual([metric, imperial]);
  expect([parseLength(metric, 'metric'), parseLength(imperial, 'imperial')]).toEqual([560, 564]);
});

test('formatLongest never exceeds the limit when it is parsed again', () => {
  for (const max of [549, 610, 671, 670, 1500, 2400]) {
    for (const units of ['imperial', 'metric'] as const) {
      expect(parseLength(formatLongest(max, units), units)).toBeLessThanOrEqual(max);
    }
  }
});

test('readLocalDay returns the port’s day, not the device’s', () => {
  const instant = Date.parse('2026-06-05T02:00:00Z');
  expect(readLocalDay(instant, 'America/Los_Angeles')).toBe('2026-06-04');
  expect(readLocalDay(instant, 'Asia/Tokyo')).toBe('2026-06-05');
});
