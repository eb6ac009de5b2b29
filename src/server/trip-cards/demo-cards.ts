import { and, inArray, isNotNull } from 'drizzle-orm';
import { formatTripCardNumber } from '#domain/trip-card-number.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { issueCards } from './operator-commands.ts';
import type { PrintedCard } from './operator-files.ts';

/** A plastic card as somebody holds it who has just bought it. */
export type DemoTripCard = { number: string; pin: string };

const CARDS: readonly PrintedCard[] = [
  { number: '9000000000000019', pin: '2468', name: 'Trip card', amount: 2500 },
  { number: '9000000000000027', pin: '1357', name: 'Trip card', amount: 4000 },
  { number: '9000000000000035', pin: '8642', name: 'Trip card', amount: 1000 },
];

/**
 * Issues the demo operator's plastic cards, once, and answers those nobody has put on an account yet. Their PINs can
 * be read by everybody, so they are issued only while payments are tests.
 */
export async function ensureDemoTripCards(
  deps: Pick<Deps, 'db' | 'clock' | 'vault' | 'provider'>,
): Promise<DemoTripCard[]> {
  if (!deps.provider.isTest) return [];
  await issueCards(deps, CARDS);
  const taken = await deps.db
    .select({ number: tripCards.number })
    .from(tripCards)
    .where(and(inArray(tripCards.number, NUMBERS), isNotNull(tripCards.customerId)));
  return CARDS.filter((card) => !taken.some(({ number }) => number === card.number)).map(
    ({ number, pin }) => ({
      number: formatTripCardNumber(number),
      pin,
    }),
  );
}

const NUMBERS = CARDS.map(({ number }) => number);
