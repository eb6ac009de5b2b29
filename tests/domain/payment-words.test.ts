import { expect, test } from 'vitest';
import { type CardOfPayment, nameCard } from '#domain/payment-words.ts';

test.each<[CardOfPayment, string]>([
  [{ method: 'trip_card', network: null, lastFour: '1234' }, 'trip card ending in 1234'],
  [{ method: 'trip_card', network: null, lastFour: null }, 'trip card'],
  [{ method: 'card', network: 'american_express', lastFour: '0005' }, 'American Express ending in 0005'],
  [{ method: 'card', network: 'a_new_network', lastFour: '0005' }, 'Card ending in 0005'],
  [{ method: 'card', network: null, lastFour: null }, 'card'],
])('a card is named by as much as is known of it: %j', (card, name) => {
  expect(nameCard(card)).toBe(name);
});
