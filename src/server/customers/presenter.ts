import type { Customer } from '#contract/accounts/schemas.ts';
import type { CustomerRow } from './queries.ts';

export function presentCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    phone: row.phone,
    pending_email: row.pendingEmail,
    mfa_required: row.mfaRequired,
    beta_tester: row.betaTester,
  };
}
