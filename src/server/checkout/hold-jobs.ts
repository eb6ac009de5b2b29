import type { Deps } from '../deps.ts';
import { expireDueHolds } from './expire-holds.ts';

/** Registers the job that expires holds, every minute. */
export async function registerHoldJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('expire-holds', () => expireDueHolds(deps));
  await deps.jobs.schedule('expire-holds', '* * * * *');
}
