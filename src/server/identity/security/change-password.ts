import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { hashPassword } from '#server/credentials/password-hash.ts';
import { getAccountCaller } from '#server/credentials/password-limits.ts';
import { requireGoodPassword } from '#server/credentials/password-rules.ts';
import { customers } from '#server/database/schema/people.ts';
import type { Client } from '#server/http/client.ts';
import { voidLinks } from '../account-links.ts';
import { type Owner, requireCustomer } from '../customers.ts';
import { endSessions } from '../sessions.ts';
import { changeAccount } from './security-events.ts';

/**
 * Changes or sets the password. All other access ends, in case the old password was known to others: other sessions,
 * pending sign-ins and mailed reset links.
 * @throws {ApiError} password_too_short, password_too_long, password_too_common, rate_limited, server_busy
 */
export async function changePassword(
  context: Context,
  { client, customerId, sessionId, password }: Owner & { client: Client; password: string },
): Promise<void> {
  const caller = getAccountCaller(customerId, client);
  const { email, name } = await requireCustomer(context.db, customerId);
  await requireGoodPassword(context, { caller, password, email, name });
  const passwordHash = await hashPassword(password, caller);
  await changeAccount(context, { customerId, sessionId, device: client.device }, async (tx) => {
    const now = context.clock.now();
    await tx
      .update(customers)
      .set({ passwordHash, passwordChangedAt: now, passwordFailures: 0, updatedAt: now })
      .where(eq(customers.id, customerId));
    await endSessions(tx, context, { customerId, except: sessionId });
    await voidLinks(tx, context, { kinds: ['reset_password'], customerId });
    return 'password_changed';
  });
}
