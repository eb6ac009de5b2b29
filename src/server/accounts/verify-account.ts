import { SecretSchema } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { hashToken } from '../core/vault.ts';
import { consumeLink, requireLink, voidLinks } from '../customers/account-links.ts';
import { assignGuestOrders } from '../customers/guest-orders.ts';
import type { CustomerRow } from '../customers/queries.ts';
import { customers } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { reportSecurityEvent } from '../security/security-events.ts';

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
    const { name = '', phone = '', password_hash: chosen = null } = link.data;
    // Two registrations at the same time: it is unknown which one the mailbox's owner sent.
    const passwordHash = rivals.length > 0 ? null : chosen;
    const [made] = await tx
      .insert(customers)
      .values({
        id: newId('cus'),
        email: link.email,
        name,
        phone,
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
