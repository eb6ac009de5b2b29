import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import { countFactors } from './factors.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';

/**
 * Runs after the removal of a factor, in the same transaction: prevents that two-step sign-in has no factor left, and
 * deletes recovery codes that replace no factor.
 * @throws {ApiError} last_second_factor, which rolls back the removal
 */
export async function settleFactors(
  tx: Database,
  customer: Pick<CustomerRow, 'id' | 'mfaRequired'>,
): Promise<void> {
  if ((await countFactors(tx, customer.id)).all > 0) return;
  if (customer.mfaRequired) throw new ApiError('last_second_factor');
  await deleteRecoveryCodes(tx, customer.id);
}
