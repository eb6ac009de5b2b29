import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { voidLinks } from '../customers/account-links.ts';
import { lockOwner, type Owner, requireCustomer } from '../customers/queries.ts';
import { customers } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Client } from '../http/client.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { endSessions } from '../sessions/sessions.ts';
import { hashPassword } from './password-hash.ts';
import { getCustomerCaller } from './password-limits.ts';
import { requireGoodPassword } from './password-rules.ts';
import { reportSecurityEvent } from './security-events.ts';

/**
 * Changes or sets the password. All other access ends, in case the old password was known to others: other sessions,
 * pending sign-ins and mailed reset links.
 * @throws {ApiError} password_too_short, password_too_long, password_too_common, rate_limited, server_busy
 */
export async function changePassword(
  context: Context,
  { client, owner, password }: { client: Client; owner: Owner; password: string },
): Promise<void> {
  const { customerId, sessionId } = owner;
  const caller = getCustomerCaller(customerId, client);
  const { email, name } = await requireCustomer(context.db, customerId);
  await requireGoodPassword(context, { caller, password, email, name });
  const passwordHash = await hashPassword(password, caller);
  const mailId = await inTransaction(context.db, async (tx) => {
    await lockOwner(tx, context, owner);
    const now = context.clock.now();
    await tx
      .update(customers)
      .set({ passwordHash, passwordChangedAt: now, passwordFailures: 0, updatedAt: now })
      .where(eq(customers.id, customerId));
    await endSessions(tx, context, { customerId, except: sessionId });
    await voidLinks(tx, context, { kinds: ['reset_password'], customerId });
    return reportSecurityEvent(tx, context, { customerId, kind: 'password_changed', device: client.device });
  });
  sendSoon(context.jobs, mailId);
}
