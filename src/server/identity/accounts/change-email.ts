import { and, desc, eq } from 'drizzle-orm';
import { portalPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { accountLinks, customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { DAY_SECONDS, rateLimit } from '#server/http/rate-limit.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { createLink, voidLinks } from '../account-links.ts';
import {
  type CustomerRow,
  findCustomerByEmail,
  lockOwner,
  normalizeEmail,
  type Owner,
  type OwnerOnDevice,
  requireCustomer,
} from '../customers.ts';
import { recordSecurityEvent } from '../security/security-events.ts';
import { isMailAllowed } from './mail-limits.ts';

const CHANGES = { name: 'change-email', limit: 5, windowSeconds: DAY_SECONDS };
const RESENDS = { ...CHANGES, name: 'resend-change-email' };
const RESEND_AFTER_MS = 60_000;

/**
 * Starts a change of address: mails a link that completes it to the new address, and one that stops it to the current
 * address. The response is the same if another account has the new address; its owner is notified.
 * @returns the customer with the pending change
 * @throws {ApiError} invalid_input for the current address, rate_limited
 */
export async function changeEmail(
  context: Context,
  { newEmail, device, ...owner }: OwnerOnDevice & { newEmail: string },
): Promise<CustomerRow> {
  const { clock } = context;
  const { customerId } = owner;
  const pendingEmail = normalizeEmail(newEmail);
  const { email } = await requireCustomer(context.db, customerId);
  if (pendingEmail === normalizeEmail(email)) {
    throw new ApiError('invalid_input', {
      field: 'new_email',
      reason: 'same_email',
    });
  }
  await rateLimit(context, { ...CHANGES, who: customerId });
  const isAllowed = await isMailAllowed(context, { mail: 'change', email: pendingEmail });
  const { changed, mailIds } = await inTransaction(context.db, async (tx) => {
    const customer = await lockOwner(tx, context, owner);
    const since = clock.now().toISOString();
    const changed = await setPendingEmail(tx, context, { customer, pendingEmail });
    const toNew = await mailNewAddress(tx, context, { customer: changed, since, isAllowed });
    const link = await createUndoLink(tx, context, { customer, since });
    const data = { newEmail: pendingEmail, link, device };
    const mail = { to: customer.email, kind: 'email-change-asked', data } as const;
    const toOld = await queueAccountMail(tx, context, mail);
    await recordSecurityEvent(tx, context, { customerId, kind: 'email_change_asked', device });
    return { changed, mailIds: [toOld, ...toNew] };
  });
  sendSoon(context.jobs, ...mailIds);
  return changed;
}

/**
 * Mails the link of the pending change again and invalidates the previous one.
 * @throws {ApiError} no_email_change; rate_limited within a minute of the last mail, and after five a day
 */
export async function resendChangeEmail(context: Context, owner: Owner): Promise<void> {
  const { clock } = context;
  const { customerId } = owner;
  const { pendingEmail } = await requireCustomer(context.db, customerId);
  if (pendingEmail === '') throw new ApiError('no_email_change');
  await requireResendDelay(context.db, context, customerId);
  await rateLimit(context, { ...RESENDS, who: customerId });
  const isAllowed = await isMailAllowed(context, { mail: 'change', email: pendingEmail });
  const mailIds = await inTransaction(context.db, async (tx) => {
    const customer = await lockOwner(tx, context, owner);
    if (customer.pendingEmail === '') throw new ApiError('no_email_change');
    // Checked again under the lock: of two concurrent requests one sends a mail.
    const last = await requireResendDelay(tx, context, customerId);
    await voidLinks(tx, context, { kinds: ['change_email'], customerId });
    const since = last?.data.since ?? clock.now().toISOString();
    return mailNewAddress(tx, context, { customer, since, isAllowed });
  });
  sendSoon(context.jobs, ...mailIds);
}

/**
 * Withdraws a pending change of address in the caller's transaction. The link mailed to the current address stays
 * valid, because with it the owner can revoke the access of an intruder who requested and withdrew the change.
 */
export async function withdrawEmailChange(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  customerId: string,
): Promise<void> {
  await voidLinks(tx, { clock }, { kinds: ['change_email'], customerId });
  await tx
    .update(customers)
    .set({ pendingEmail: '', updatedAt: clock.now() })
    .where(eq(customers.id, customerId));
}

/** Creates a link, to be mailed to the customer's current address, that stops or reverts a change made since then. */
export async function createUndoLink(
  tx: Database,
  context: Pick<Context, 'clock' | 'config'>,
  { customer: { id: customerId, email }, since }: { customer: CustomerRow; since: string },
): Promise<string> {
  const token = await createLink(tx, context, { kind: 'undo_email', customerId, email, data: { since } });
  return `${context.config.origins.portal}${portalPages.undoEmail}#token=${token}`;
}

async function setPendingEmail(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customer, pendingEmail }: { customer: CustomerRow; pendingEmail: string },
): Promise<CustomerRow> {
  await voidLinks(tx, { clock }, { kinds: ['change_email'], customerId: customer.id });
  const changed = { pendingEmail, updatedAt: clock.now() };
  await tx.update(customers).set(changed).where(eq(customers.id, customer.id));
  return { ...customer, ...changed };
}

/**
 * Does the same work whether or not the address is taken; only the mail differs, and it is not sent beyond the
 * mailbox's limit.
 */
async function mailNewAddress(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault' | 'config'>,
  { customer, since, isAllowed }: { customer: CustomerRow; since: string; isAllowed: boolean },
): Promise<string[]> {
  const { id, pendingEmail, language } = customer;
  const owner = await findCustomerByEmail(tx, pendingEmail);
  const token = await createLink(tx, context, {
    kind: 'change_email',
    customerId: id,
    email: pendingEmail,
    data: { since },
  });
  if (!isAllowed) return [];
  if (owner) return [await queueAccountMail(tx, context, { to: owner.email, kind: 'email-taken', data: {} })];
  const link = `${context.config.origins.portal}${portalPages.verifyEmail}#token=${token}`;
  return [
    await queueAccountMail(tx, context, {
      to: pendingEmail,
      language,
      kind: 'confirm-email-change',
      data: { link },
    }),
  ];
}

/**
 * The last mailed link, if it is more than a minute old.
 * @throws {ApiError} rate_limited
 */
async function requireResendDelay(db: Database, { clock }: Pick<Context, 'clock'>, customerId: string) {
  const [last] = await db
    .select({ data: accountLinks.data, insertedAt: accountLinks.insertedAt })
    .from(accountLinks)
    .where(and(eq(accountLinks.customerId, customerId), eq(accountLinks.kind, 'change_email')))
    .orderBy(desc(accountLinks.insertedAt))
    .limit(1);
  const waited = last ? clock.now().getTime() - last.insertedAt.getTime() : RESEND_AFTER_MS;
  if (waited >= RESEND_AFTER_MS) return last;
  throw new ApiError('rate_limited', { retryAfter: Math.ceil((RESEND_AFTER_MS - waited) / 1000) });
}
