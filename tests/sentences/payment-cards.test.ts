import { expect, test } from 'vitest';
import { type CardOfPayment, describeCard } from '#sentences/payment-cards.ts';
import { textsIn } from '#server/core/texts.ts';

test.each<[CardOfPayment, string]>([
  [{ method: 'trip_card', network: null, lastFour: '1234' }, 'trip card ending in 1234'],
  [{ method: 'trip_card', network: null, lastFour: null }, 'trip card'],
  [{ method: 'trip_card', network: null, lastFour: '1234', trips: 10 }, 'pass ending in 1234'],
  [{ method: 'card', network: 'american_express', lastFour: '0005' }, 'American Express ending in 0005'],
  [{ method: 'card', network: 'a_new_network', lastFour: '0005' }, 'Card ending in 0005'],
  [{ method: 'card', network: null, lastFour: null }, 'card'],
  [
    { method: 'card', network: 'visa', lastFour: '4242', wallet: 'apple_pay' },
    'Apple Pay · Visa ending in 4242',
  ],
  [{ method: 'card', network: null, lastFour: null, wallet: 'google_pay' }, 'Google Pay'],
  [{ method: 'card', network: 'visa', lastFour: '4242', wallet: 'a_new_wallet' }, 'Visa ending in 4242'],
])('a card is named by its known details: %j', (card, name) => {
  expect(describeCard(textsIn('en'), card)).toBe(name);
});
