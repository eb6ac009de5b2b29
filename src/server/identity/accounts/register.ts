import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Register } from '#contract/identity/registration/schemas.ts';
import { SecretSchema } from '#contract/identity/sign-in/schemas.ts';
import { fillPath, portalPages } from '#contract/paths.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import type { Context } from '#server/context.ts';
import { newId, newSecret } from '#server/core/ids.ts';
import { hashToken } from '#server/core/vault.ts';
import { hashPassword, verifyPassword } from '#server/credentials/password-hash.ts';
import { getVisitorCaller } from '#server/credentials/password-limits.ts';
import { requireGoodPassword } from '#server/credentials/password-rules.ts';
import { accountLinks, customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { consumeLink, createLink, requireLink, voidLinks } from '../account-links.ts';
import { assignGuestOrders, type CustomerRow, findCustomerByEmail, normalizeEmail } from '../customers.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { isMailAllowed, limitNetwork } from './mail-limits.ts';

/**
 * Mails a link that creates the account, or tells the owner of a known address that they have one. Response and work
 * are the same for both. Neither mail contains text from the request.
 * @returns the secret that signs the same browser in when it follows the link
 * @throws {ApiError} password_too_short, password_too_long, password_too_common, terms_outdated, rate_limited,
 * server_busy
 */
export async function register(context: Context, input: Register & { client: Client }): Promise<string> {
  const { client, name, phone = '', password } = input;
  const email = normalizeEmail(input.email);
  const caller = getVisitorCaller(email, client);
  await requireCurrentTerms(context, input.terms_version);
  await requireGoodPassword(context, { caller, password, email, name });
  await limitNetwork(context, { mail: 'register', client });
  const isAllowed = await isMailAllowed(context, { mail: 'register', email });
  const earlier = await findOpenRegistration(context, email);
  const passwordHash = await hashPassword(password, caller);
  const isSamePassword = await verifyPassword(password, earlier?.data.password_hash ?? null, caller);
  const temp = newSecret();
  const tempHash = hashToken(temp);
  if (isAllowed) {
    const { language } = client;
    const registration = {
      email,
      chosen: { name, phone, language, password_hash: passwordHash, temp_hash: tempHash },
      ownEarlier: isSamePassword ? (earlier?.id ?? null) : null,
    };
    sendSoon(context.jobs, await storeRegistration(context, registration));
  } else if (isSamePassword) await replaceBrowserSecret(context, { email, tempHash });
  else await removePassword(context, email);
  return temp;
}

type Registration = {
  email: string;
  chosen: Record<'name' | 'phone' | 'language' | 'password_hash' | 'temp_hash', string>;
  /** A pending link requested with the same password, and therefore by the same person. */
  ownEarlier: string | null;
};

async function requireCurrentTerms(context: Pick<Context, 'db'>, version: string): Promise<void> {
  const { terms } = await loadWebSettings(context);
  if (version === terms.version) return;
  throw new ApiError('terms_outdated', {
    field: 'terms_version',
    details: { terms_version: terms.version },
  });
}

async function findOpenRegistration({ db, clock }: Pick<Context, 'db' | 'clock'>, email: string) {
  const [link] = await db
    .select({ id: accountLinks.id, data: accountLinks.data })
    .from(accountLinks)
    .where(and(isOpenRegistration(email), gt(accountLinks.expiresAt, clock.now())))
    .orderBy(desc(accountLinks.insertedAt))
    .limit(1);
  return link;
}

/** The pending link stays valid, and signs in the browser of the last request. */
async function replaceBrowserSecret(
  { db }: Pick<Context, 'db'>,
  { email, tempHash }: { email: string; tempHash: string },
): Promise<void> {
  await db
    .update(accountLinks)
    .set({ data: sql`${accountLinks.data} || ${JSON.stringify({ temp_hash: tempHash })}::jsonb` })
    .where(isOpenRegistration(email));
}

/** The pending link stays valid, but the account has no password, so its owner signs in by mail first. */
async function removePassword({ db }: Pick<Context, 'db'>, email: string): Promise<void> {
  await db
    .update(accountLinks)
    .set({ data: sql`${accountLinks.data} - 'password_hash' - 'phone' - 'temp_hash'` })
    .where(isOpenRegistration(email));
}

function isOpenRegistration(email: string) {
  return and(
    eq(accountLinks.email, email),
    eq(accountLinks.kind, 'register'),
    isNull(accountLinks.consumedAt),
  );
}

/**
 * If two people registered the same address, the mailbox's owner chose at most one of the passwords, so neither is
 * used. For a known address the same is written, and the link's secret is discarded.
 */
function storeRegistration(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'config'>,
  { email, chosen, ownEarlier }: Registration,
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const existingCustomer = await findCustomerByEmail(tx, email);
    const voided = await voidLinks(tx, context, { kinds: ['register'], email });
    const isContested = voided.some((id) => id !== ownEarlier);
    const { name, language } = chosen;
    const agreed: Record<string, string> = isContested ? { name, language } : chosen;
    const token = await createLink(tx, context, {
      kind: 'register',
      customerId: null,
      email,
      data: existingCustomer ? {} : agreed,
    });
    if (existingCustomer)
      return queueAccountMail(tx, context, { to: email, language, kind: 'account-exists', data: {} });
    const link = `${context.config.origins.portal}${fillPath(portalPages.verifyAccount, { token })}`;
    return queueAccountMail(tx, context, { to: email, language, kind: 'confirm-account', data: { link } });
  });
}

/**
 * Creates the account of a registration when its link is confirmed, and assigns it the orders bought under its address.
 * @param input token: from the path; temp: the secret returned by the registration, if the browser has it
 * @returns `isSameBrowser`: whether the browser registered the account, so that it may be signed in
 * @throws {ApiError} link_expired, also if the address has an account now
 */
export async function verifyAccount(
  context: Context,
  { token, temp, device }: { token: string; temp: string | undefined; device: string },
): Promise<{ customer: CustomerRow; isSameBrowser: boolean }> {
  if (!SecretSchema.safeParse(token).success) throw new ApiError('link_expired');
  const link = await requireLink(context, { kind: 'register', token });
  const { customer, mailId } = await inTransaction(context.db, async (tx) => {
    await consumeLink(tx, context, link);
    const rivals = await voidLinks(tx, context, { kinds: ['register'], email: link.email });
    const now = context.clock.now();
    const { name = '', phone = '', language = '', password_hash: chosen = null } = link.data;
    // Two registrations at the same time: it is unknown which one the mailbox's owner sent.
    const passwordHash = rivals.length > 0 ? null : chosen;
    const [made] = await tx
      .insert(customers)
      .values({
        id: newId('cus'),
        email: link.email,
        name,
        phone,
        language: findOfferedLanguage(language),
        passwordHash,
        passwordChangedAt: passwordHash === null ? null : now,
        emailVerifiedAt: now,
        insertedAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .returning();
    if (!made) throw new ApiError('link_expired');
    await assignGuestOrders(tx, made);
    const event = { customerId: made.id, kind: 'account_created', device } as const;
    return { customer: made, mailId: await reportSecurityEvent(tx, context, event) };
  });
  sendSoon(context.jobs, mailId);
  // A registration contested by another one has neither a password nor this secret.
  const isSameBrowser =
    customer.passwordHash !== null && temp !== undefined && link.data.temp_hash === hashToken(temp);
  return { customer, isSameBrowser };
}
