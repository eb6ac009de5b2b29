import { eq } from 'drizzle-orm';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { forgetWrongCodes, PASSWORD_LOCKED_AFTER } from '#server/credentials/failures.ts';
import { customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { notFound } from '#server/http/api-error.ts';
import { type CustomerRow, findLockedCustomer } from '#server/identity/customers.ts';

type Block = {
  /** The password is refused until it is reset. */
  password: boolean;
  /** Until when codes of the second step are refused; null: they are not. */
  codesUntil: Date | null;
};

/** What of a customer's sign-in is blocked after too many wrong tries. */
export function findBlock(
  {
    passwordHash,
    passwordFailures,
    secondStepLockedUntil: until,
  }: Pick<CustomerRow, 'passwordHash' | 'passwordFailures' | 'secondStepLockedUntil'>,
  now: Date,
): Block {
  return {
    password: passwordHash !== null && passwordFailures >= PASSWORD_LOCKED_AFTER,
    codesUntil: until !== null && until > now ? until : null,
  };
}

/**
 * Lets a customer try the password and codes again. Does nothing for one who is not blocked.
 * @throws {ApiError} not_found
 */
export async function unblockCustomer(
  context: Pick<Context, 'db' | 'clock'>,
  { customerId, actor }: { customerId: string; actor: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const customer = await findLockedCustomer(tx, customerId);
    if (!customer) throw notFound();
    const { password, codesUntil } = findBlock(customer, context.clock.now());
    const blocked = [...(password ? ['password'] : []), ...(codesUntil === null ? [] : ['codes'])];
    if (blocked.length === 0) return;
    await tx.update(customers).set({ passwordFailures: 0 }).where(eq(customers.id, customerId));
    await forgetWrongCodes(tx, { table: customers, id: customerId });
    await recordAudit(tx, context, {
      ...{ actor, action: 'customer_unblocked', objectKind: 'customer', objectId: customerId, reason: null },
      before: Object.fromEntries(blocked.map((field) => [field, 'blocked'])),
      after: Object.fromEntries(blocked.map((field) => [field, 'unblocked'])),
    });
  });
}
