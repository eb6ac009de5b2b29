import type { NextStep } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { newSecret } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client, Cookie } from '#server/http/client.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { assignGuestOrders, type CustomerRow, findLockedCustomer } from '../customers.ts';
import { createDeviceCookie, findKnownDevice } from '../security/known-device.ts';
import { getSecondStep, listStrongMethods } from '../security/second-step.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { createProofCookie, createSession, type SignInMethod } from '../sessions.ts';
import { CHALLENGE_SECONDS, createSignInChallenge } from './sign-in-challenges.ts';

type NewSession = {
  client: Client;
  kind: SignInMethod;
  isFresh: boolean;
  /** The first session of a new account, which needs no separate mail. */
  isFirst?: true;
};
/** Work in the session's transaction, under the customer's lock. */
export type SessionWork = (tx: Database, customer: CustomerRow) => Promise<void>;
/** A session's token, and the cookies to set in its browser. */
export type StartedSession = { token: string; cookies: Cookie[] };

/** Signs a customer in: session, cookies, orders bought as a guest, and a mail if this browser is new to the account. */
export async function startSession(
  context: Context,
  { customerId, within, ...session }: NewSession & { customerId: string; within?: SessionWork },
): Promise<StartedSession> {
  const { mailId, ...started } = await inTransaction(context.db, async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    await within?.(tx, customer);
    return openSession(tx, context, { ...session, customer });
  });
  sendSoon(context.jobs, mailId);
  return started;
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
 * Writes the session of a locked customer, and the mail to send after the commit.
 * @throws {ApiError} demo_closed
 */
async function openSession(
  tx: Database,
  context: Context,
  { client, customer, kind, isFresh, isFirst }: NewSession & { customer: CustomerRow },
): Promise<StartedSession & { mailId: string | null }> {
  // The demo account's password is public.
  if (customer.isDemo && !context.provider.isTest) throw new ApiError('demo_closed');
  const { device } = client;
  const customerId = customer.id;
  const proof = client.isBrowser ? newSecret() : null;
  await assignGuestOrders(tx, customer);
  const token = await createSession(tx, context, { customerId, kind, device, isFresh, proof });
  const isNewDevice = !isFirst && findKnownDevice(context, { client, customer }) === null;
  const mailId = isNewDevice
    ? await reportSecurityEvent(tx, context, { customerId, kind: 'signed_in_on_new_device', device })
    : null;
  const cookies = [createDeviceCookie(context, { client, customer })];
  if (proof !== null) cookies.unshift(createProofCookie(proof));
  return { token, cookies, mailId };
}

type FirstStep = {
  client: Client;
  customerId: string;
  kind: 'password' | 'magic_link' | 'passkey';
  /** A passkey with user verification counts as both steps. */
  isBoth?: boolean;
  /** For a sign-in by link: the link, which the second step may name again. */
  originLinkHash?: string;
  /** Uses up the code, link or passkey of the step. */
  within: SessionWork;
};

/**
 * Continues after a successful first step: starts a session, or a second step if required.
 * @throws {ApiError} attempt_expired, passkey_refused
 */
export async function finishFirstStep(
  context: Context,
  first: FirstStep,
): Promise<NextStep | StartedSession> {
  const outcome = await inTransaction(context.db, async (tx) => {
    const customer = await lockCustomer(tx, first.customerId);
    await first.within(tx, customer);
    const next = await findNextStep(tx, customer, first);
    if (next) return startSecondStep(tx, context, { customer, first, next });
    const isFresh = first.kind !== 'magic_link' || (await listStrongMethods(tx, customer.id)).length === 0;
    return openSession(tx, context, { client: first.client, customer, kind: first.kind, isFresh });
  });
  if ('next' in outcome) return outcome;
  sendSoon(context.jobs, outcome.mailId);
  return outcome;
}

async function findNextStep(
  tx: Database,
  customer: CustomerRow,
  first: FirstStep,
): Promise<'authenticator' | 'passkey' | null> {
  if (!customer.mfaRequired || first.isBoth) return null;
  const next = await getSecondStep(tx, customer.id);
  if (next !== 'passkey' || first.kind !== 'passkey') return next;
  // A passkey without user verification cannot be both steps.
  throw new ApiError('passkey_refused', {
    reason: 'other_sign_in_first',
  });
}

async function startSecondStep(
  tx: Database,
  context: Context,
  { customer, first, next }: { customer: CustomerRow; first: FirstStep; next: NextStep['next'] },
): Promise<NextStep> {
  const temp = await createSignInChallenge(tx, context, {
    kind: 'second_step',
    customerId: customer.id,
    email: customer.email,
    device: first.client.device,
    firstStep: first.kind,
    originLinkHash: first.originLinkHash ?? null,
  });
  return { temp, next, expires_in: CHALLENGE_SECONDS };
}
