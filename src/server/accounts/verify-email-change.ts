import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import {
  type AccountLink,
  consumeLink,
  createLink,
  requireLink,
  voidLinks,
} from '../customers/account-links.ts';
import { assignGuestOrders } from '../customers/guest-orders.ts';
import { type CustomerRow, findLockedCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { endSessions } from '../sessions/sessions.ts';
import { createUndoUrl } from './change-email.ts';

/** The browser that follows the link; `session` may be of another account. */
type Visitor = { device: string; session: { sessionId: string; customerId: string } | null };

/**
 * Completes a change of address. All other sessions end, and the previous address gets a link that reverts the change
 * for seven days. The token identifies the account, not the session.
 * @returns the new address
 * @throws {ApiError} link_expired, also if another account has the address now
 */
export async function verifyEmailChange(context: Context, token: string, follower: Visitor): Promise<string> {
  const link = await requireLink(context, 'change_email', token);
  try {
    const mailIds = await inTransaction(context.db, (tx) => replaceAddress(tx, context, link, follower));
    for (const mailId of mailIds) sendSoon(context.jobs, mailId);
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
  link: AccountLink,
  { device, session }: Visitor,
): Promise<string[]> {
  const { clock } = context;
  const customer = await findLockedCustomer(tx, link.customerId);
  if (customer?.pendingEmail !== link.email) throw new ApiError('link_expired');
  await consumeLink(tx, clock, link);
  const now = clock.now();
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
  await voidLinks(tx, clock, { kinds: ['change_email', 'reset_password'], customerId: customer.id });
  await voidLinks(tx, clock, { kinds: ['register'], email });
  const own = session?.customerId === customer.id ? { except: session.sessionId } : {};
  await endSessions(tx, clock, customer.id, own);
  await assignGuestOrders(tx, changed);
  const toNew = await reportSecurityEvent(tx, context, {
    customerId: customer.id,
    kind: 'email_changed',
    device,
  });
  const toOld = await mailUndoLink(tx, context, customer, { link, device });
  return [toNew, toOld];
}

/** Mails the previous address a link that reverts the change. */
async function mailUndoLink(
  tx: Database,
  context: Context,
  before: CustomerRow,
  { link, device }: { link: AccountLink; device: string },
): Promise<string> {
  const token = await createLink(tx, context.clock, {
    kind: 'undo_email',
    customerId: before.id,
    email: before.email,
    data: { since: link.data.since ?? link.insertedAt.toISOString() },
  });
  const facts = { newEmail: link.email, link: createUndoUrl(context, token), device };
  return queueAccountMail(tx, context, { to: before.email, kind: 'email-changed', facts });
}
