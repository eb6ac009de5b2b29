import type { Context } from '../context.ts';
import { newSecret } from '../core/ids.ts';
import { assignGuestOrders } from '../customers/guest-orders.ts';
import { type CustomerRow, findLockedCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { writeCookie } from '../http/cookies.ts';
import { deviceOf } from '../http/device-name.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { findKnownDevice, rememberDevice } from '../security/known-device.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { createSession, PROOF_COOKIE, SESSION_DAYS, type SessionKind } from '../sessions/sessions.ts';

export type NewSession = {
  kind: SessionKind;
  isFresh: boolean;
  /** The first session of a new account, which needs no separate mail. */
  isFirst?: true;
};
/** Work in the session's transaction, under the customer's lock. */
export type SessionWork = (tx: Database, customer: CustomerRow) => Promise<void>;
/** A written session whose cookies and mail are sent after the commit. */
export type OpenedSession = {
  token: string;
  proof: string | null;
  mailId: string | null;
  customer: CustomerRow;
};

/**
 * Signs a customer in: session, cookies, orders bought as a guest, and a mail if this browser is new to the account.
 * @returns the token
 */
export async function startSession(
  c: HttpContext,
  context: Context,
  { customerId, ...session }: NewSession & { customerId: string },
  within: SessionWork = async () => {},
): Promise<string> {
  const opened = await inTransaction(context.db, async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    await within(tx, customer);
    return openSession(c, context, tx, customer, session);
  });
  return deliverSession(c, context, opened);
}

/**
 * Locks the customer. Commands that end all sessions lock the row too, so they come entirely before or after.
 * @throws {ApiError} attempt_expired if the account was deleted
 */
export async function lockCustomer(tx: Database, id: string): Promise<CustomerRow> {
  const customer = await findLockedCustomer(tx, id);
  if (!customer) throw new ApiError('attempt_expired');
  return customer;
}

/**
 * Writes the session; `deliverSession` sends cookies and mail after the commit.
 * @throws {ApiError} demo_closed
 */
export async function openSession(
  c: HttpContext,
  context: Context,
  tx: Database,
  customer: CustomerRow,
  { isFirst, ...session }: NewSession,
): Promise<OpenedSession> {
  // The demo account's password is public.
  if (customer.isDemo && !context.provider.isTest) throw new ApiError('demo_closed');
  const device = deviceOf(c);
  const proof = isBrowser(c) ? newSecret() : null;
  await assignGuestOrders(tx, customer);
  const token = await createSession(tx, context.clock, {
    ...session,
    customerId: customer.id,
    device,
    proof,
  });
  const mailId =
    !isFirst && findKnownDevice(c, context, customer) === null
      ? await reportSecurityEvent(tx, context, {
          customerId: customer.id,
          kind: 'signed_in_on_new_device',
          device,
        })
      : null;
  return { token, proof, mailId, customer };
}

/** Sets the browser's cookies and returns the token. */
export function deliverSession(c: HttpContext, context: Context, opened: OpenedSession): string {
  if (opened.proof !== null) writeProof(c, context, opened.proof);
  rememberDevice(c, context, opened.customer);
  if (opened.mailId !== null) sendSoon(context.jobs, opened.mailId);
  return opened.token;
}

/** Sets the proof cookie for another 365 days. */
export function writeProof(c: HttpContext, context: Pick<Context, 'config'>, proof: string): void {
  writeCookie(c, context, { name: PROOF_COOKIE, value: proof, maxAgeSeconds: SESSION_DAYS * 86_400 });
}

export function removeProof(c: HttpContext, context: Pick<Context, 'config'>): void {
  writeCookie(c, context, { name: PROOF_COOKIE, value: '', maxAgeSeconds: 0 });
}

/** Browsers send Origin or Sec-Fetch headers; other clients keep no cookies. */
function isBrowser(c: HttpContext): boolean {
  return c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;
}
