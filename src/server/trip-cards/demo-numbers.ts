import type { PrintedCard } from './operator-files.ts';

export const DEMO_TRIP_CARDS: readonly PrintedCard[] = [
  { number: '9000000000000019', pin: '2468', name: 'Trip card', amount: 2500 },
  { number: '9000000000000027', pin: '1357', name: 'Trip card', amount: 4000 },
  { number: '9000000000000035', pin: '8642', name: 'Trip card', amount: 1000 },
];

export const DEMO_TRIP_CARD_NUMBERS = DEMO_TRIP_CARDS.map(({ number }) => number);

/** Whether this is a published demo card, which must not be usable where real money is taken. */
export function isDemoTripCard({ number, pin }: { number: string | null; pin: string }): boolean {
  return DEMO_TRIP_CARDS.some((card) => card.number === number && card.pin === pin);
}
