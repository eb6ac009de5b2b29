import type { Deps } from '../deps.ts';
import { type Credentials, createDemoCustomer, credentialsOf, findDemoCustomer } from './demo-customer.ts';
import { makeDemoHistory } from './demo-history.ts';
import { findTimetableOwner, importDemoFeed, loadDemoTimetable, readDemoFeed } from './demo-timetable.ts';
import { type DemoTripCard, ensureDemoTripCards } from './plastic-cards.ts';
import { ensureUpcomingTrips } from './upcoming-trips.ts';

/** The demo customer's credentials, and the plastic cards that are not on an account yet. */
export type Demo = Credentials & { tripCards: readonly DemoTripCard[] };

/**
 * Fills an empty database with the demo operator, the demo customer with their history, and plastic cards; each later
 * start buys the customer a trip of that day. Runs only with the card provider's stand-in, because a start must not
 * depend on an outside service. An operator's own timetable is only rolled forward, without a demo customer.
 * @returns null if there is no demo customer, or its password was changed
 */
export async function loadDemo(deps: Deps): Promise<Demo | null> {
  const owner = await findTimetableOwner(deps.db);
  if (owner === 'none') await loadFirst(deps);
  else await loadDemoTimetable(deps);
  if (owner === 'operator') return null;
  const customer = (await findDemoCustomer(deps.db)) ?? (await createDemoCustomer(deps, deps.clock.now()));
  if (!customer) return null;
  await ensureUpcomingTrips(deps, customer);
  const credentials = await credentialsOf(customer);
  return credentials && { ...credentials, tripCards: await ensureDemoTripCards(deps) };
}

async function loadFirst(deps: Deps): Promise<void> {
  const files = await readDemoFeed();
  await makeDemoHistory(deps, files);
  await importDemoFeed(deps, files);
}
