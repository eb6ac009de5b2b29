import { and, inArray, isNotNull } from 'drizzle-orm';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '../context.ts';
import type { CustomerRow } from '../customers/queries.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { importTimetable } from '../sailings/import-timetable.ts';
import { DEMO_TRIP_CARD_NUMBERS, DEMO_TRIP_CARDS } from '../trip-cards/add-card.ts';
import { issueCards } from '../trip-cards/operator-commands.ts';
import { type Credentials, createDemoCustomer, credentialsOf, findDemoCustomer } from './demo-customer.ts';
import { createDemoHistory } from './demo-history.ts';
import { findTimetableOwner, loadDemoTimetable, readDemoFeed } from './demo-timetable.ts';
import { ensureSailingStates } from './sailing-states.ts';
import { ensureUpcomingTrips } from './upcoming-trips.ts';

/** The demo customer's credentials, and the plastic cards that are not on an account yet. */
export type Demo = Credentials & { tripCards: readonly { number: string; pin: string }[] };

/**
 * Fills an empty database with the demo operator, the demo customer with their history, and plastic cards; each later
 * start does what `renewDemo` does. Runs only with the card provider's stand-in, because a start must not depend on an
 * outside service. An operator's own timetable is only rolled forward, without a demo customer.
 * @returns null if there is no demo customer, or its password was changed
 */
export async function loadDemo(context: Context): Promise<Demo | null> {
  const owner = await findTimetableOwner(context.db);
  if (owner === 'none') await loadFirst(context);
  else await loadDemoTimetable(context);
  if (owner === 'operator') return null;
  const customer =
    (await findDemoCustomer(context.db)) ?? (await createDemoCustomer(context, context.clock.now()));
  if (!customer) return null;
  await renewTrips(context, customer);
  const credentials = await credentialsOf(customer);
  return credentials && { ...credentials, tripCards: await ensureDemoTripCards(context) };
}

/**
 * Buys the demo customer a trip of this day, and makes the sailings of tomorrow that are full, nearly full, sold out
 * online, late and canceled. Safe to repeat.
 */
export async function renewDemo(context: Context): Promise<void> {
  if ((await findTimetableOwner(context.db)) !== 'demo') return;
  const customer = await findDemoCustomer(context.db);
  if (customer) await renewTrips(context, customer);
}

/** Renews the demo every night, shortly after midnight of the demo operator. */
export async function registerDemoJobs(context: Context): Promise<void> {
  await context.jobs.work('renew-demo', () => renewDemo(context));
  await context.jobs.schedule('renew-demo', '15 8 * * *');
}

async function renewTrips(context: Context, customer: CustomerRow): Promise<void> {
  await ensureUpcomingTrips(context, customer);
  await ensureSailingStates(context, customer);
}

async function loadFirst(context: Context): Promise<void> {
  const files = await readDemoFeed();
  await createDemoHistory(context, files);
  await importTimetable(context, { files });
}

/**
 * Issues the demo operator's plastic cards once, and returns those that are not on an account yet. Their PINs are
 * public, so they are issued only with test payments.
 */
export async function ensureDemoTripCards(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'provider'>,
): Promise<Demo['tripCards']> {
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
