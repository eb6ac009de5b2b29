import type { Deps } from '../deps.ts';
import { type Credentials, createDemoCustomer, credentialsOf, findDemoCustomer } from './demo-customer.ts';
import { makeDemoHistory } from './demo-history.ts';
import { findTimetableOwner, importDemoFeed, loadDemoTimetable, readDemoFeed } from './demo-timetable.ts';
import { type DemoTripCard, ensureDemoTripCards } from './plastic-cards.ts';
import { ensureUpcomingTrips } from './upcoming-trips.ts';

/** What there is to try the product with: a customer to sign in as, and plastic cards nobody has on an account yet. */
export type Demo = Credentials & { tripCards: readonly DemoTripCard[] };

/**
 * Fills an empty database with the demo operator, its customer, who has a history, and its plastic cards, and gives the
 * customer a trip today at each later start. Only where the provider is the stand-in: a start must not depend on an
 * outside service. An operator's own timetable is rolled, and gets no demo customer.
 * @returns null when there is nobody to sign in as
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
