import { expect, test } from 'vitest';
import { describeTicket } from '#sentences/tickets.ts';
import { textsIn } from '#server/core/texts.ts';

const t = textsIn('en');
const ticket = (kind: string, title: string, travelerName?: string) => ({
  ...{ kind, title, travelerName },
  status: 'issued',
});

test('tickets are distinguished by name, otherwise by their position among those of their kind', () => {
  const tickets = [
    ticket('passenger', 'Adult', 'Ada'),
    ticket('passenger', 'Adult'),
    ticket('passenger', 'Child'),
    ticket('vehicle', 'Car, 5KJH 220'),
  ];
  expect(tickets.map((each) => describeTicket(t, each, tickets))).toEqual([
    ['Ada', 'Adult'],
    ['Adult', '2 of 3'],
    ['Child', '3 of 3'],
    ['Car, 5KJH 220', null],
  ]);
});

test('canceled tickets are not counted', () => {
  const [first, ...others] = ['Adult', 'Adult', 'Adult'].map((title) => ticket('passenger', title));
  const tickets = [{ ...first!, status: 'canceled' }, ...others];
  expect(tickets.map((each) => describeTicket(t, each, tickets))).toEqual([
    ['Adult', null],
    ['Adult', '1 of 2'],
    ['Adult', '2 of 2'],
  ]);
});
