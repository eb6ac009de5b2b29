import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Owner } from '../customers/lock-owner.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { ApiError } from '../http/api-error.ts';
import { expireFreshness } from '../sessions/sessions.ts';
import { countFactors } from './factors.ts';
import { reportSecurityEvent } from './security-events.ts';

/**
 * Turns two-step sign-in on or off, in the transaction that locked the customer's row. The caller must require a
 * step-up to turn it off. Turning it on ends the freshness of other sessions, which was earned with one step.
 * @returns the id of the mail to send
 * @throws {ApiError} second_factor_missing if there is no factor
 */
export async function setTwoStep(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  { owner, isOn, device }: { owner: Owner; isOn: boolean; device: string },
): Promise<string> {
  const { customerId } = owner;
  if (isOn && (await countFactors(tx, customerId)).all === 0) {
    throw new ApiError('second_factor_missing', { field: 'mfa_required' });
  }
  await tx
    .update(customers)
    .set({ mfaRequired: isOn, updatedAt: context.clock.now() })
    .where(eq(customers.id, customerId));
  if (isOn) await expireFreshness(tx, owner);
  return reportSecurityEvent(tx, context, {
    customerId,
    kind: isOn ? 'mfa_on' : 'mfa_off',
    device,
  });
}
