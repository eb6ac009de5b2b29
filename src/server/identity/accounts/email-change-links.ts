import { and, count, eq, gte, or } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import {
  authenticators,
  customers,
  passkeys,
  recoveryCodes,
  securityEvents,
} from '#server/database/schema/people.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { type AccountLink, consumeLink, requireLink, voidLinks } from '../account-links.ts';
import { assignGuestOrders, type CustomerRow, findLockedCustomer, type Owner } from '../customers.ts';
import { getSecondStep } from '../security/second-step.ts';
import { recordSecurityEvent, reportSecurityEvent } from '../security/security-events.ts';
import { endSessions } from '../sessions.ts';
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
  return followLink(context, link, (tx) => replaceAddress(tx, context, { link, device, session }));
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
  const data = { newEmail: email, link: undoLink, device };
  const toOld = await queueAccountMail(tx, context, {
    to: customer.email,
    language: customer.language,
    kind: 'email-changed',
    data,
  });
  return [toNew, toOld];
}

/**
 * "This wasn't me": stops a change of address, or reverts it and all later ones. The change required a password or
 * factor, so all of them are revoked: every session and pending sign-in, the password, and the factors added since. The
 * owner sets a new password by mail.
 * @returns the restored address
 * @throws {ApiError} link_expired, also if another account has the address now
 */
export async function undoEmailChange(
  context: Context,
  { token, device }: { token: string; device: string },
): Promise<string> {
  const link = await requireLink(context, { kind: 'undo_email', token });
  return followLink(context, link, (tx) => revertEmailChange(tx, context, { link, device }));
}

/** @returns the ids of the mails to send */
async function revertEmailChange(
  tx: Database,
  context: Context,
  { link, device }: { link: AccountLink; device: string },
): Promise<string[]> {
  const customer = await findLockedCustomer(tx, link.customerId);
  if (!customer) throw new ApiError('link_expired');
  await consumeLink(tx, context, link);
  const now = context.clock.now();
  await removeFactorsSince(tx, {
    customerId: customer.id,
    since: new Date(link.data.since ?? link.insertedAt),
  });
  const hasSecondStep = (await getSecondStep(tx, customer.id)) !== null;
  await tx
    .update(customers)
    .set({
      email: link.email,
      pendingEmail: '',
      passwordHash: null,
      passwordChangedAt: now,
      mfaRequired: customer.mfaRequired && hasSecondStep,
      updatedAt: now,
    })
    .where(eq(customers.id, customer.id));
  await voidLinks(tx, context, {
    kinds: ['change_email', 'undo_email', 'reset_password'],
    customerId: customer.id,
  });
  await endSessions(tx, context, { customerId: customer.id });
  await recordSecurityEvent(tx, context, { customerId: customer.id, kind: 'email_change_undone', device });
  return [await queueAccountMail(tx, context, { to: link.email, kind: 'email-change-undone', data: {} })];
}

async function removeFactorsSince(
  tx: Database,
  { customerId, since }: { customerId: string; since: Date },
): Promise<void> {
  await tx.delete(passkeys).where(and(eq(passkeys.customerId, customerId), gte(passkeys.insertedAt, since)));
  const removed = await tx
    .delete(authenticators)
    .where(
      and(
        eq(authenticators.customerId, customerId),
        or(gte(authenticators.insertedAt, since), gte(authenticators.confirmedAt, since)),
      ),
    )
    .returning({ id: authenticators.customerId });
  // Recovery codes have no creation time; the event log does.
  const [made] = await tx
    .select({ times: count() })
    .from(securityEvents)
    .where(
      and(
        eq(securityEvents.customerId, customerId),
        eq(securityEvents.kind, 'recovery_codes_made'),
        gte(securityEvents.insertedAt, since),
      ),
    );
  if (removed.length === 0 && made?.times === 0) return;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.customerId, customerId));
}

/**
 * Changes the address in one transaction and sends its mails.
 * @returns the new address
 */
async function followLink(
  context: Context,
  link: AccountLink,
  change: (tx: Database) => Promise<string[]>,
): Promise<string> {
  try {
    sendSoon(context.jobs, ...(await inTransaction(context.db, change)));
    return link.email;
  } catch (error) {
    // Another account has the address now.
    if (violatedUniqueConstraint(error) === null) throw error;
    throw new ApiError('link_expired');
  }
}
