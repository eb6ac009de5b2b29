import { expect, test } from 'vitest';
import { countParty } from '#domain/fares/party.ts';
import { describeParty } from '#sentences/party.ts';
import { textsIn } from '#server/core/texts.ts';

const t = textsIn('en');

test('a vehicle does not count as a traveler', () => {
  const party = countParty([
    { kind: 'passenger', quantity: 1 },
    { kind: 'vehicle', quantity: 1 },
    { kind: 'fee', quantity: 1 },
  ]);
  expect(describeParty(t, party)).toBe('1 traveler, 1 vehicle');
});

test('a ticket without a quantity counts as one', () => {
  const party = countParty([
    { kind: 'passenger' },
    { kind: 'passenger' },
    { kind: 'bicycle' },
    { kind: 'bicycle' },
  ]);
  expect(describeParty(t, party)).toBe('2 travelers, 2 bicycles');
});
