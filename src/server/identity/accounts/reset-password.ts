import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { ResetPasswordSchema } from '#contract/identity/registration/schemas.ts';
import { portalPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import { hashPassword } from '#server/credentials/password-hash.ts';
import { getAccountCaller } from '#server/credentials/password-limits.ts';
import { requireGoodPassword } from '#server/credentials/password-rules.ts';
import { customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { consumeLink, createLink, requireLink, voidLinks } from '../account-links.ts';
import {
  type CustomerRow,
  findCustomer,
  findCustomerByEmail,
  findLockedCustomer,
  normalizeEmail,
} from '../customers.ts';
import { checkSecondStep, getSecondStep } from '../security/second-step.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { endSessions } from '../sessions.ts';
import { isMailAllowed, limitNetwork } from './mail-limits.ts';

/**
 * Mails a link that sets a new password; to an address without an account, that it has none. Response and work are the
 * same for both.
 * @throws {ApiError} rate_limited for the network, never for the mailbox
 */
export async function sendResetInstructions(
  context: Context,
  { client, ...input }: { client: Client; email: string },
): Promise<void> {
  const { device, language } = client;
  const email = normalizeEmail(input.email);
  await limitNetwork(context, { mail: 'reset', client });
  if (!(await isMailAllowed(context, { mail: 'reset', email }))) return;
  const mailId = await inTransaction(context.db, async (tx) => {
    const customer = await findCustomerByEmail(tx, email);
    const token = await createLink(tx, context, {
      kind: 'reset_password',
      customerId: customer?.id ?? null,
      email,
    });
    // For an address without an account the link's secret is discarded.
    if (!customer) {
      return queueAccountMail(tx, context, { to: email, language, kind: 'no-account', data: { device } });
    }
    const link = `${context.config.origins.portal}${portalPages.newPassword}#token=${token}`;
    return queueAccountMail(tx, context, {
      to: customer.email,
      language,
      kind: 'reset-password',
      data: { link, device },
    });
  });
  sendSoon(context.jobs, mailId);
}

/**
 * Sets a new password by a mailed link and ends all other access: sessions, pending sign-ins, other links and a pending
 * change of address. With two-step sign-in on, the link alone is not sufficient.
 * @throws {ApiError} link_expired, second_step_required, invalid_code, rate_limited, password_too_short,
 * password_too_long, password_too_common, server_busy; only a success uses up the link
 */
export async function resetPassword(
  context: Context,
  { client, token, password, code = null }: z.infer<typeof ResetPasswordSchema> & { client: Client },
): Promise<void> {
  const { device } = client;
  const link = await requireLink(context, { kind: 'reset_password', token });
  const owner = await findCustomer(context.db, link.customerId);
  if (!owner) throw new ApiError('link_expired');
  const caller = getAccountCaller(owner.id, client);
  const { email, name } = owner;
  await requireGoodPassword(context, { caller, password, email, name });
  await requireSecondStep(context, { owner, code, device });
  const passwordHash = await hashPassword(password, caller);
  const mailId = await inTransaction(context.db, async (tx) => {
    const customer = await findLockedCustomer(tx, owner.id);
    // Two-step sign-in may have been turned on in the meantime.
    if (!customer || customer.mfaRequired !== owner.mfaRequired) throw new ApiError('link_expired');
    // The address may have changed between its look-up and the creation of the link, which was then not invalidated.
    if (link.email !== normalizeEmail(customer.email)) throw new ApiError('link_expired');
    await consumeLink(tx, context, link);
    const now = context.clock.now();
    await tx
      .update(customers)
      .set({ passwordHash, passwordChangedAt: now, passwordFailures: 0, pendingEmail: '', updatedAt: now })
      .where(eq(customers.id, customer.id));
    await voidLinks(tx, context, {
      kinds: ['reset_password', 'change_email'],
      customerId: customer.id,
    });
    await endSessions(tx, context, { customerId: customer.id });
    return reportSecurityEvent(tx, context, { customerId: customer.id, kind: 'password_reset', device });
  });
  sendSoon(context.jobs, mailId);
}

/** An account whose second step is a passkey has no code; its sign-in still requires the passkey. */
async function requireSecondStep(
  context: Context,
  { owner, code, device }: { owner: CustomerRow; code: string | null; device: string },
): Promise<void> {
  if (!owner.mfaRequired || (await getSecondStep(context.db, owner.id)) !== 'authenticator') return;
  if (code === null) throw new ApiError('second_step_required', { field: 'code' });
  await checkSecondStep(context, { customerId: owner.id, code, device });
}
