import { expect, test } from 'vitest';
import { countParty, describeParty } from '#domain/fares/party.ts';

test('a vehicle does not count as a traveler', () => {
  const party = countParty([
    { kind: 'passenger', quantity: 1 },
    { kind: 'vehicle', quantity: 1 },
    { kind: 'fee', quantity: 1 },
  ]);
  expect(describeParty(party)).toBe('1 traveler, 1 vehicle');
});

test('a ticket without a quantity counts as one', () => {
  const party = countParty([
    { kind: 'passenger' },
    { kind: 'passenger' },
    { kind: 'bicycle' },
    { kind: 'bicycle' },
  ]);
  expect(describeParty(party)).toBe('2 travelers, 2 bicycles');
});
