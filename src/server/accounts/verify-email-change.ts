import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type AccountLink, consumeLink, requireLink, voidLinks } from '../customers/account-links.ts';
import { assignGuestOrders } from '../customers/guest-orders.ts';
import type { Owner } from '../customers/lock-owner.ts';
import { type CustomerRow, findLockedCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { endSessions } from '../sessions/sessions.ts';
import { createUndoLink } from './change-email.ts';

/** `session`: of the browser that follows the link, maybe of another account. */
type VerifyInput = { token: string; device: string; session: Owner | null };

/**
 * Completes a change of address. All other sessions end, and the previous address gets a link that reverts the change
 * for seven days. The token identifies the account, not the session.
 * @returns the new address
 * @throws {ApiError} link_expired, also if another account has the address now
 */
export async function verifyEmailChange(
  context: Context,
  { token, device, session }: VerifyInput,
): Promise<string> {
  const link = await requireLink(context, { kind: 'change_email', token });
  try {
    const mailIds = await inTransaction(context.db, (tx) =>
      replaceAddress(tx, context, { link, device, session }),
    );
    sendSoon(context.jobs, ...mailIds);
    return link.email;
  } catch (error) {
    if (violatedUniqueConstraint(error) === null) throw error;
    throw new ApiError('link_expired');
  }
}

/** @returns the ids of the mails to send */
async function replaceAddress(
  tx: Database,
  context: Context,
  { link, device, session }: Omit<VerifyInput, 'token'> & { link: AccountLink },
): Promise<string[]> {
  const customer = await findLockedCustomer(tx, link.customerId);
  if (customer?.pendingEmail !== link.email) throw new ApiError('link_expired');
  await consumeLink(tx, context, link);
  const now = context.clock.now();
  const changed: CustomerRow = {
    ...customer,
    email: link.email,
    pendingEmail: '',
    emailVerifiedAt: now,
    updatedAt: now,
  };
  const { email, pendingEmail, emailVerifiedAt, updatedAt } = changed;
  await tx
    .update(customers)
    .set({ email, pendingEmail, emailVerifiedAt, updatedAt })
    .where(eq(customers.id, customer.id));
  await voidLinks(tx, context, { kinds: ['change_email', 'reset_password'], customerId: customer.id });
  await voidLinks(tx, context, { kinds: ['register'], email });
  const except = session?.customerId === customer.id ? session.sessionId : undefined;
  await endSessions(tx, context, { customerId: customer.id, except });
  await assignGuestOrders(tx, changed);
  const toNew = await reportSecurityEvent(tx, context, {
    customerId: customer.id,
    kind: 'email_changed',
    device,
  });
  const since = link.data.since ?? link.insertedAt.toISOString();
  const undoLink = await createUndoLink(tx, context, { customer, since });
  const facts = { newEmail: email, link: undoLink, device };
  const toOld = await queueAccountMail(tx, context, { to: customer.email, kind: 'email-changed', facts });
  return [toNew, toOld];
}
