import { eq } from 'drizzle-orm';
import type { ChangeCustomer } from '#contract/customers.ts';
import { customers } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { normaliseEmail } from './email-address.ts';
import type { CustomerRow } from './presenter.ts';
import { requireCustomer } from './queries.ts';

/**
 * Changes what a customer may change directly, all of it or nothing, and answers what is stored then.
 * @throws {ApiError} use_change_email, second_factor_missing, step_up_required
 */
export async function changeCustomer(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  change: ChangeCustomer,
): Promise<CustomerRow> {
  const customer = await requireCustomer(db, customerId);
  refuseWhatNeedsProof(customer, change);
  const { name, phone, pending_email: pendingEmail } = change;
  const sent = {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(pendingEmail === undefined ? {} : { pendingEmail }),
  };
  if (Object.keys(sent).length === 0) return customer;
  const [stored] = await db
    .update(customers)
    .set({ ...sent, updatedAt: clock.now() })
    .where(eq(customers.id, customerId))
    .returning();
  return stored ?? customer;
}

/** What could lock the owner out has calls of its own, which first make sure that it is the owner. */
function refuseWhatNeedsProof(customer: CustomerRow, change: ChangeCustomer): void {
  const { email, pending_email: pendingEmail, mfa_required: mfaRequired } = change;
  if (email !== undefined && normaliseEmail(email.trim()) !== normaliseEmail(customer.email)) {
    throw new ApiError('use_change_email', { field: 'email' });
  }
  // Emptying it withdraws a change of address; only the mailed link can complete one.
  if (pendingEmail !== undefined && pendingEmail !== '') {
    throw new ApiError('use_change_email', { field: 'pending_email' });
  }
  if (mfaRequired === undefined || mfaRequired === customer.mfaRequired) return;
  throw new ApiError(mfaRequired ? 'second_factor_missing' : 'step_up_required', { field: 'mfa_required' });
}
