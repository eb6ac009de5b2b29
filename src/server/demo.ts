import { ensureDemoCustomer } from './accounts/demo-customer.ts';
import { seedDemoOrders } from './accounts/demo-orders.ts';
import type { Deps } from './deps.ts';
import { loadDemoTimetable } from './sailings/demo.ts';

export type DemoAccount = { email: string; password: string };

/** Fills an empty database with the demo operator and its customer, who has bought two trips; leaves any other as it is. */
export async function loadDemo(deps: Deps): Promise<DemoAccount | null> {
  await loadDemoTimetable(deps);
  const account = await ensureDemoCustomer(deps);
  await seedDemoOrders(deps);
  return account;
}
