import type { SecurityOverview } from '#contract/identity/security/schemas.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { requireCustomer } from '../customers.ts';
import { authenticatorStatus } from './authenticator.ts';
import { countFactors } from './factors.ts';

/** The sign-in methods of an account, on one snapshot. */
export function presentSecurity(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<SecurityOverview> {
  return inSnapshot(db, (tx) => readSecurity({ db: tx, clock }, customerId));
}

async function readSecurity(
  context: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<SecurityOverview> {
  const customer = await requireCustomer(context.db, customerId);
  const has = await countFactors(context.db, customerId);
  const { status, confirmedAt } = await authenticatorStatus(context, customerId);
  return {
    has_password: customer.passwordHash !== null,
    password_changed_at: customer.passwordChangedAt?.toISOString() ?? null,
    mfa_required: customer.mfaRequired,
    authenticator: { status, confirmed_at: confirmedAt?.toISOString() ?? null },
    recovery_codes_left: has.recoveryCodes,
    passkeys: has.passkeys,
  };
}
