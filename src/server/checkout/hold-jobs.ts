import type { Deps } from '../deps.ts';
import { lapseDueHolds } from './lapse.ts';

/** Registers the job that puts places back on sale, every minute. */
export async function registerHoldJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('lapse-holds', () => lapseDueHolds(deps));
  await deps.jobs.schedule('lapse-holds', '* * * * *');
}
