import { and, inArray, isNotNull } from 'drizzle-orm';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '../context.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { DEMO_TRIP_CARD_NUMBERS, DEMO_TRIP_CARDS } from '../trip-cards/add-card.ts';
import { issueCards } from '../trip-cards/operator-commands.ts';

/** The number and PIN of a plastic card, as sold. */
export type DemoTripCard = { number: string; pin: string };

/**
 * Issues the demo operator's plastic cards once, and returns those that are not on an account yet. Their PINs are
 * public, so they are issued only with test payments.
 */
export async function ensureDemoTripCards(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'provider'>,
): Promise<DemoTripCard[]> {
  if (!context.provider.isTest) return [];
  await issueCards(context, DEMO_TRIP_CARDS);
  const isDemoCard = inArray(tripCards.number, DEMO_TRIP_CARD_NUMBERS);
  await context.db.update(tripCards).set({ isDemo: true }).where(isDemoCard);
  const taken = await context.db
    .select({ number: tripCards.number })
    .from(tripCards)
    .where(and(isDemoCard, isNotNull(tripCards.customerId)));
  return DEMO_TRIP_CARDS.filter((card) => !taken.some(({ number }) => number === card.number)).map(
    ({ number, pin }) => ({ number: formatTripCardNumber(number), pin }),
  );
}
