import type { Deps } from '../deps.ts';
import { expireDueHolds } from './expire-holds.ts';

/** Registers the job that puts places back on sale, every minute. */
export async function registerHoldJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('expire-holds', () => expireDueHolds(deps));
  await deps.jobs.schedule('expire-holds', '* * * * *');
}
