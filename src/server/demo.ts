import { ensureDemoCustomer } from './accounts/demo-customer.ts';
import { seedDemoOrders } from './accounts/demo-orders.ts';
import type { Deps } from './deps.ts';
import { loadDemoTimetable } from './sailings/demo.ts';
import { type DemoTripCard, ensureDemoTripCards } from './trip-cards/demo-cards.ts';

/** What there is to try the product with: a customer to sign in as, and plastic cards nobody has on an account yet. */
export type Demo = { email: string; password: string; tripCards: readonly DemoTripCard[] };

/**
 * Fills an empty database with the demo operator, its customer, who has bought two trips, and its plastic cards;
 * leaves any other as it is. A demo of an earlier release gets what has come to it since.
 */
export async function loadDemo(deps: Deps): Promise<Demo | null> {
  await loadDemoTimetable(deps);
  const account = await ensureDemoCustomer(deps);
  await seedDemoOrders(deps);
  return account && { ...account, tripCards: await ensureDemoTripCards(deps) };
}
