import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '../context.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import type { CustomerRow } from '../identity/customers.ts';
import { importTimetable } from '../sailings/import-timetable.ts';
import { DEMO_TRIP_CARD_NUMBERS, DEMO_TRIP_CARDS } from '../trip-cards/add-card.ts';
import { issueCards } from '../trip-cards/operator-commands.ts';
import { buyPlaces, buyTrip, findSailingToday, HOUR_MS } from './buy-trip.ts';
import { type Credentials, createDemoCustomer, findDemoCustomer, getCredentials } from './demo-customer.ts';
import { createDemoHistory } from './demo-history.ts';
import { type DemoStaff, ensureDemoStaff } from './demo-staff.ts';
import { findTimetableOwner, loadDemoTimetable, readDemoFeed } from './demo-timetable.ts';
import { ensureSailingStates } from './sailing-states.ts';

const DAY_MS = 24 * HOUR_MS;

/** The demo customer's credentials, the plastic cards that are not on an account yet, and the demo's staff. */
export type Demo = Credentials & {
  tripCards: readonly { number: string; pin: string }[];
  staff: DemoStaff | null;
};

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
  // The password is verified in another thread.
  const [credentials] = await Promise.all([getCredentials(customer), renewTrips(context, customer)]);
  const staff = await ensureDemoStaff(context);
  return credentials && { ...credentials, staff, tripCards: await ensureDemoTripCards(context) };
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
  await importTimetable(context, { files, accepted: 'all' });
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

/**
 * Ensures that the demo customer has upcoming trips: a return trip with a car next week if they have no upcoming trip at
 * all, and a trip on foot later today, or on the next sailing if none is left today.
 */
async function ensureUpcomingTrips(context: Context, customer: CustomerRow): Promise<void> {
  const now = context.clock.now().getTime();
  const buyer = { contact: customer, customerId: customer.id };
  const departures = await findDepartures(context, customer.id);
  if (!departures.some((departsAt) => departsAt > now)) {
    const withCar = {
      out: 'MAD-HER',
      back: { route: 'HER-MAD', hoursLater: 2 * 24 },
      passengers: { adult: 2 },
      carCm: 450,
    };
    await buyTrip(context, { buyer, trip: withCar, from: new Date(now + 7 * DAY_MS) });
  }
  const next = await findSailingToday(context);
  const soon = next ? getDayStart(addDays(getLocalDay(now, next.zone), 1), next.zone) : now + DAY_MS;
  if (departures.some((departsAt) => departsAt > now && departsAt < soon)) return;
  if (next) await buyPlaces(context, { buyer, sailing: next, adults: 2 });
  else {
    const onFoot = { out: 'MAD-HER', passengers: { adult: 2 } };
    await buyTrip(context, { buyer, trip: onFoot, from: new Date(now + HOUR_MS) });
  }
}

/** The departure times of the customer's confirmed trips. */
async function findDepartures({ db }: Pick<Context, 'db'>, customerId: string): Promise<number[]> {
  const rows = await db
    .selectDistinct({ departsAt: sailings.departsAt })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(
      and(eq(orders.customerId, customerId), eq(orders.status, 'confirmed'), eq(orderLines.status, 'active')),
    );
  return rows.map(({ departsAt }) => departsAt.getTime());
}
