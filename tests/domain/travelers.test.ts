import { expect, test } from 'vitest';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { findTravelerName, listTravelers } from '#domain/orders/travelers.ts';

const ticket = (kind: string, title: string, travelerName?: string) => ({
  ...{ kind, title, travelerName },
  status: 'issued',
});

test('travelers are listed individually, with the names of the outbound fare lines', () => {
  const line = { leg: 'out', kind: 'passenger' } as const;
  const lines = [
    { ...line, description: 'Adult', quantity: 2 },
    { ...line, description: 'Adult, driver', quantity: 1 },
    { ...line, kind: 'vehicle', description: 'Car', quantity: 1 },
    { ...line, kind: 'discount', description: 'SUMMER', quantity: 1 },
    { ...line, leg: 'back', description: 'Adult', quantity: 2 },
  ] as const;
  expect(listTravelers(lines)).toEqual(['Adult', 'Adult', 'Adult, driver']);
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

test('tickets are distinguished by name, otherwise by their position among those of their kind', () => {
  const tickets = [
    ticket('passenger', 'Adult', 'Ada'),
    ticket('passenger', 'Adult'),
    ticket('passenger', 'Child'),
    ticket('vehicle', 'Car, 5KJH 220'),
  ];
  expect(tickets.map((each) => describeTicket(each, tickets))).toEqual([
    ['Ada', 'Adult'],
    ['Adult', '2 of 3'],
    ['Child', '3 of 3'],
    ['Car, 5KJH 220', null],
  ]);
});

test('canceled tickets are not counted', () => {
  const [first, ...others] = ['Adult', 'Adult', 'Adult'].map((title) => ticket('passenger', title));
  const tickets = [{ ...first!, status: 'canceled' }, ...others];
  expect(tickets.map((each) => describeTicket(each, tickets))).toEqual([
    ['Adult', null],
    ['Adult', '1 of 2'],
    ['Adult', '2 of 2'],
  ]);
});
