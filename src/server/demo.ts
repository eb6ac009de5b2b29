import { ensureDemoCustomer } from './accounts/demo-customer.ts';
import type { Deps } from './deps.ts';
import { loadDemoTimetable } from './sailings/demo.ts';

export type DemoAccount = { email: string; password: string };

/** Fills an empty database with the demo operator and its customer; leaves any other as it is. */
export async function loadDemo(deps: Deps): Promise<DemoAccount | null> {
  await loadDemoTimetable(deps);
  return ensureDemoCustomer(deps);
}
