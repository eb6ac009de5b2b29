import { and, desc, eq } from 'drizzle-orm';
import { portalPages } from '#contract/paths.ts';
import { createLink, voidLinks } from '../customers/account-links.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import { lockOwner, type Owner } from '../customers/lock-owner.ts';
import { type CustomerRow, findCustomerByEmail, requireCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { accountLinks, customers } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { DAY_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { recordSecurityEvent } from '../security/security-events.ts';
import { isMailAllowed } from './mail-limits.ts';

const PER_DAY = 5;
const RESEND_AFTER_MS = 60_000;

/**
 * Starts a change of address: mails a link that completes it to the new address, and one that stops it to the current
 * address. The response is the same if another account has the new address; its owner is notified.
 * @returns the customer with the pending change
 * @throws {ApiError} invalid_input for the current address, rate_limited
 */
export async function changeEmail(
  deps: Deps,
  owner: Owner,
  { newEmail, device }: { newEmail: string; device: string },
): Promise<CustomerRow> {
  const { clock } = deps;
  const { customerId } = owner;
  const wanted = normaliseEmail(newEmail);
  const { email } = await requireCustomer(deps.db, customerId);
  if (wanted === normaliseEmail(email)) {
    throw new ApiError('invalid_input', {
      field: 'new_email',
      message: 'That is already your email address.',
    });
  }
  await limitPerDay(deps, 'change-email', customerId);
  const mayGo = await isMailAllowed(deps, 'change', wanted);
  const { changed, mailIds } = await inTransaction(deps.db, async (tx) => {
    const customer = await lockOwner(tx, deps, owner);
    const since = clock.now().toISOString();
    const changed = await setPendingEmail(tx, deps, customer, wanted);
    const toNew = await mailNewAddress(tx, deps, changed, { since, mayGo });
    const token = await createLink(tx, clock, {
      kind: 'undo_email',
      customerId,
      email: customer.email,
      data: { since },
    });
    const link = createUndoUrl(deps, token);
    const facts = { newEmail: wanted, link, device };
    const toOld = await queueAccountMail(tx, deps, { to: customer.email, kind: 'email-change-asked', facts });
    await recordSecurityEvent(tx, clock, { customerId, kind: 'email_change_asked', device });
    return { changed, mailIds: [toOld, ...toNew] };
  });
  for (const mailId of mailIds) sendSoon(deps.jobs, mailId);
  return changed;
}

/**
 * Mails the link of the pending change again and invalidates the previous one.
 * @throws {ApiError} no_email_change; rate_limited within a minute of the last mail, and after five a day
 */
export async function resendChangeEmail(deps: Deps, owner: Owner): Promise<void> {
  const { clock } = deps;
  const { customerId } = owner;
  const { pendingEmail } = await requireCustomer(deps.db, customerId);
  if (pendingEmail === '') throw new ApiError('no_email_change');
  await requireResendDelay(deps.db, deps, customerId);
  await limitPerDay(deps, 'resend-change-email', customerId);
  const mayGo = await isMailAllowed(deps, 'change', pendingEmail);
  const mailIds = await inTransaction(deps.db, async (tx) => {
    const customer = await lockOwner(tx, deps, owner);
    if (customer.pendingEmail === '') throw new ApiError('no_email_change');
    // Checked again under the lock: of two concurrent requests one sends a mail.
    const last = await requireResendDelay(tx, deps, customerId);
    await voidLinks(tx, clock, { kinds: ['change_email'], customerId });
    const since = last?.data.since ?? clock.now().toISOString();
    return mailNewAddress(tx, deps, customer, { since, mayGo });
  });
  for (const mailId of mailIds) sendSoon(deps.jobs, mailId);
}

/**
 * Withdraws a pending change of address in the caller's transaction. The link mailed to the current address stays
 * valid, because with it the owner can revoke the access of an intruder who requested and withdrew the change.
 */
export async function withdrawEmailChange(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  customerId: string,
): Promise<void> {
  await voidLinks(tx, clock, { kinds: ['change_email'], customerId });
  await tx
    .update(customers)
    .set({ pendingEmail: '', updatedAt: clock.now() })
    .where(eq(customers.id, customerId));
}

/** The page that stops or reverts a change of address. */
export function createUndoUrl({ config }: Pick<Deps, 'config'>, token: string): string {
  return `${config.origins.portal}${portalPages.undoEmail}#token=${token}`;
}

async function setPendingEmail(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  customer: CustomerRow,
  pendingEmail: string,
): Promise<CustomerRow> {
  await voidLinks(tx, clock, { kinds: ['change_email'], customerId: customer.id });
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
  deps: Pick<Deps, 'clock' | 'vault' | 'config'>,
  { id, pendingEmail }: CustomerRow,
  { since, mayGo }: { since: string; mayGo: boolean },
): Promise<string[]> {
  const owner = await findCustomerByEmail(tx, pendingEmail);
  const token = await createLink(tx, deps.clock, {
    kind: 'change_email',
    customerId: id,
    email: pendingEmail,
    data: { since },
  });
  if (!mayGo) return [];
  if (owner) return [await queueAccountMail(tx, deps, { to: owner.email, kind: 'email-taken', facts: {} })];
  const link = `${deps.config.origins.portal}${portalPages.verifyEmail}#token=${token}`;
  return [
    await queueAccountMail(tx, deps, { to: pendingEmail, kind: 'confirm-email-change', facts: { link } }),
  ];
}

/**
 * The last mailed link, if it is more than a minute old.
 * @throws {ApiError} rate_limited
 */
async function requireResendDelay(db: Database, { clock }: Pick<Deps, 'clock'>, customerId: string) {
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

function limitPerDay(deps: Deps, name: string, customerId: string): Promise<void> {
  return rateLimit(deps, { name, who: customerId, limit: PER_DAY, windowSeconds: DAY_SECONDS });
}
