import type { CustomerRow } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import { type Credentials, createDemoCustomer, credentialsOf, findDemoCustomer } from './demo-customer.ts';
import { createDemoHistory } from './demo-history.ts';
import { findTimetableOwner, importDemoFeed, loadDemoTimetable, readDemoFeed } from './demo-timetable.ts';
import { type DemoTripCard, ensureDemoTripCards } from './plastic-cards.ts';
import { ensureSailingStates } from './sailing-states.ts';
import { ensureUpcomingTrips } from './upcoming-trips.ts';

/** The demo customer's credentials, and the plastic cards that are not on an account yet. */
export type Demo = Credentials & { tripCards: readonly DemoTripCard[] };

/**
 * Fills an empty database with the demo operator, the demo customer with their history, and plastic cards; each later
 * start does what `renewDemo` does. Runs only with the card provider's stand-in, because a start must not depend on an
 * outside service. An operator's own timetable is only rolled forward, without a demo customer.
 * @returns null if there is no demo customer, or its password was changed
 */
export async function loadDemo(deps: Deps): Promise<Demo | null> {
  const owner = await findTimetableOwner(deps.db);
  if (owner === 'none') await loadFirst(deps);
  else await loadDemoTimetable(deps);
  if (owner === 'operator') return null;
  const customer = (await findDemoCustomer(deps.db)) ?? (await createDemoCustomer(deps, deps.clock.now()));
  if (!customer) return null;
  await renewTrips(deps, customer);
  const credentials = await credentialsOf(customer);
  return credentials && { ...credentials, tripCards: await ensureDemoTripCards(deps) };
}

/**
 * Buys the demo customer a trip of this day, and makes the sailings of tomorrow that are full, nearly full, sold out
 * online, late and canceled. Safe to repeat.
 */
export async function renewDemo(deps: Deps): Promise<void> {
  if ((await findTimetableOwner(deps.db)) !== 'demo') return;
  const customer = await findDemoCustomer(deps.db);
  if (customer) await renewTrips(deps, customer);
}

/** Renews the demo every night, shortly after midnight of the demo operator. */
export async function registerDemoJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('renew-demo', () => renewDemo(deps));
  await deps.jobs.schedule('renew-demo', '15 8 * * *');
}

async function renewTrips(deps: Deps, customer: CustomerRow): Promise<void> {
  await ensureUpcomingTrips(deps, customer);
  await ensureSailingStates(deps, customer);
}

async function loadFirst(deps: Deps): Promise<void> {
  const files = await readDemoFeed();
  await createDemoHistory(deps, files);
  await importDemoFeed(deps, files);
}
