import { expect, test } from 'vitest';
import { findTravelerName, listTravelers } from '#domain/orders/travelers.ts';

test('travelers are listed individually, each with the outbound fare line that pays for them', () => {
  const line = { leg: 'out', kind: 'passenger' } as const;
  const lines = [
    { ...line, description: 'Adult', quantity: 2 },
    { ...line, description: 'Adult, driver', quantity: 1 },
    { ...line, kind: 'vehicle', description: 'Car', quantity: 1 },
    { ...line, kind: 'discount', description: 'SUMMER', quantity: 1 },
    { ...line, leg: 'back', description: 'Adult', quantity: 2 },
  ] as const;
  expect(listTravelers(lines).map(({ description }) => description)).toEqual([
    'Adult',
    'Adult',
    'Adult, driver',
  ]);
});

test('each traveler’s ticket gets their name, and a vehicle’s ticket gets none', () => {
  const names = ['Ada', '', 'Cy'];
  const nameOf = (kind: string, partyIndex: number) => findTravelerName(names, { kind, partyIndex });
  expect([1, 2, 3, 4].map((index) => nameOf('passenger', index))).toEqual([
    'Ada',
    undefined,
    'Cy',
    undefined,
  ]);
  expect(nameOf('vehicle', 3)).toBeUndefined();
});
