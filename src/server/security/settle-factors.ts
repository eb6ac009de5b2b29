import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { countFactors } from './factors.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';

/**
 * After a factor was removed, in the same transaction: keeps two-step sign-in from asking for what is no more, and
 * drops recovery codes that stand in for nothing.
 * @throws {ApiError} last_second_factor, which takes the removal back
 */
export async function settleFactors(
  tx: Database,
  customer: Pick<CustomerRow, 'id' | 'mfaRequired'>,
): Promise<void> {
  if ((await countFactors(tx, customer.id)).all > 0) return;
  if (customer.mfaRequired) throw new ApiError('last_second_factor');
  await dropRecoveryCodes(tx, customer.id);
}
