import { registerHoldJobs } from './checkout/hold-jobs.ts';
import type { Deps } from './deps.ts';
import { registerSweep } from './http/sweep.ts';
import { registerMailJobs } from './mail/mail-jobs.ts';
import type { Mailer } from './mail/mailer.ts';
import { registerPaymentJobs } from './order-payments/payment-jobs.ts';
import { registerCardJobs } from './payment-cards/card-jobs.ts';
import { registerSailingsJobs } from './sailings/timetable-jobs.ts';
import { registerTripCardJobs } from './trip-cards/trip-card-jobs.ts';

/** Gives every name of background work its worker and its hours. */
export async function registerJobs(deps: Deps, mailer: Mailer): Promise<void> {
  await registerMailJobs(deps, mailer);
  await registerHoldJobs(deps);
  await registerPaymentJobs(deps);
  await registerCardJobs(deps);
  await registerTripCardJobs(deps);
  await registerSailingsJobs(deps);
  await registerSweep(deps);
}
