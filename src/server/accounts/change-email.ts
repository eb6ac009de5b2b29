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
import { mayMail } from './mail-limits.ts';

const PER_DAY = 5;
const RESEND_AFTER_MS = 60_000;

/**
 * Begins a change of address: a link goes to the new one, which completes it, and at once another to the one of
 * now, which stops it. The answer is the same when another account has the new address; its owner is told.
 * @returns the customer with the change under way
 * @throws {ApiError} invalid_input for the address of now, rate_limited
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
  const mayGo = await mayMail(deps, 'change', wanted);
  const { changed, mailIds } = await inTransaction(deps.db, async (tx) => {
    const customer = await lockOwner(tx, deps, owner);
    const since = clock.now().toISOString();
    const changed = await setPendingEmail(tx, deps, customer, wanted);
    const toNew = await linkToNewAddress(tx, deps, changed, { since, mayGo });
    const token = await createLink(tx, clock, {
      kind: 'undo_email',
      customerId,
      email: customer.email,
      data: { since },
    });
    const link = undoLink(deps, token);
    const facts = { newEmail: wanted, link, device };
    const toOld = await queueAccountMail(tx, deps, { to: customer.email, kind: 'email-change-asked', facts });
    await recordSecurityEvent(tx, clock, { customerId, kind: 'email_change_asked', device });
    return { changed, mailIds: [toOld, ...toNew] };
  });
  for (const mailId of mailIds) sendSoon(deps.jobs, mailId);
  return changed;
}

/**
 * Mails the link of the change under way again; the one before is void.
 * @throws {ApiError} no_email_change; rate_limited within a minute of the last, and after five a day
 */
export async function resendChangeEmail(deps: Deps, owner: Owner): Promise<void> {
  const { clock } = deps;
  const { customerId } = owner;
  const { pendingEmail } = await requireCustomer(deps.db, customerId);
  if (pendingEmail === '') throw new ApiError('no_email_change');
  await requirePause(deps.db, deps, customerId);
  await limitPerDay(deps, 'resend-change-email', customerId);
  const mayGo = await mayMail(deps, 'change', pendingEmail);
  const mailIds = await inTransaction(deps.db, async (tx) => {
    const customer = await lockOwner(tx, deps, owner);
    if (customer.pendingEmail === '') throw new ApiError('no_email_change');
    // Again, now that nobody else can: of two at once one mails.
    const last = await requirePause(tx, deps, customerId);
    await voidLinks(tx, clock, { kinds: ['change_email'], customerId });
    const since = last?.data.since ?? clock.now().toISOString();
    return linkToNewAddress(tx, deps, customer, { since, mayGo });
  });
  for (const mailId of mailIds) sendSoon(deps.jobs, mailId);
}

/**
 * Withdraws a change of address under way, in the transaction of whoever asks. The link that went to the address
 * of now stays good: it is how an owner turns out somebody who asked and withdrew.
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

/** The page that stops a change of address, or takes it back. */
export function undoLink({ config }: Pick<Deps, 'config'>, token: string): string {
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

/** Writes the same whoever has the address; only what is mailed differs, and is not mailed past the mailbox's cap. */
async function linkToNewAddress(
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
 * The link mailed last, if its minute is over.
 * @throws {ApiError} rate_limited
 */
async function requirePause(db: Database, { clock }: Pick<Deps, 'clock'>, customerId: string) {
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
