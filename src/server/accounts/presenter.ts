import type { Customer } from '#contract/customers.ts';
import type { customers } from '../database/schema/people.ts';

export type CustomerRow = typeof customers.$inferSelect;

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
