import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { portalPages } from '#contract/paths.ts';
import type { NextStep, SignInOutcome } from '#contract/sign-in/schemas.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import { type CustomerRow, findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { signInAttempts } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import type { ApiEnv } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { newId } from '../ids.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { findKnownDevice } from '../security/known-device.ts';
import { hashToken } from '../vault.ts';
import {
  ATTEMPT_SECONDS,
  type Attempt,
  beginAttempt,
  consumeAttempt,
  expiryOf,
  isMailedCode,
  isOfMailbox,
  type MailedSecrets,
  newMailedSecrets,
  requireAttempt,
  takeTry,
} from './attempts.ts';
import { finishFirstStep } from './finish-first-step.ts';
import { limitCodeMails } from './mail-limits.ts';

/** Between two mails of one challenge. */
export const RESEND_SECONDS = 60;
const MAX_MAILS = 3;

/**
 * Mails a code and a link to the customer. An unknown address gets a mail that says so and the same response, so the
 * caller learns nothing that only the mailbox may know.
 * @throws {ApiError} rate_limited
 */
export async function startEmailCode(
  c: Context<ApiEnv>,
  deps: Deps,
  customer: CustomerRow | null,
  address: string,
): Promise<NextStep> {
  const email = normaliseEmail(address);
  await limitCodeMails(c, deps, { email, knownDevice: findKnownDevice(c, deps, customer) });
  const id = newId('att');
  const attempt = { id, customerId: customer?.id ?? null, email, device: deviceOf(c) };
  const mailed = newMailedSecrets(deps.vault, id);
  const { temp, mailId } = await inTransaction(deps.db, async (tx) => ({
    temp: await beginAttempt(tx, deps.clock, { kind: 'email_code', ...attempt, mailed }),
    mailId: await mailSecrets(tx, deps, attempt, mailed),
  }));
  sendSoon(deps.jobs, mailId);
  return waitForCode(temp);
}

/**
 * Mails another code and link for a challenge and invalidates the previous ones; guesses are not reset.
 * @throws {ApiError} attempt_expired, rate_limited
 */
export async function resendEmailCode(c: Context<ApiEnv>, deps: Deps, temp: string): Promise<NextStep> {
  const attempt = await requireAttempt(deps, { temp, kind: 'email_code' });
  refuseTooSoon(deps, attempt);
  // Queried in either case, so that unknown addresses take the same time.
  const customer = await findCustomer(deps.db, attempt.customerId ?? '');
  await limitCodeMails(c, deps, {
    email: attempt.email,
    knownDevice: findKnownDevice(c, deps, customer),
  });
  const mailed = newMailedSecrets(deps.vault, attempt.id);
  const mailId = await inTransaction(deps.db, async (tx) => {
    await replaceSecrets(tx, deps, attempt, mailed);
    return mailSecrets(tx, deps, attempt, mailed);
  });
  sendSoon(deps.jobs, mailId);
  return waitForCode(temp);
}

/**
 * Signs in with the digits mailed for this challenge.
 * @throws {ApiError} invalid_code; attempt_expired after five wrong ones, while the link stays valid
 */
export async function signInWithEmailCode(
  c: Context<ApiEnv>,
  deps: Deps,
  { temp, code }: { temp: string; code: string },
): Promise<SignInOutcome> {
  const attempt = await takeTry(deps, { temp, kind: 'email_code' });
  if (!isMailedCode(deps.vault, attempt, code)) throw new ApiError('invalid_code');
  return finishFirstStep(c, deps, {
    customerId: attempt.customerId ?? '',
    kind: 'magic_link',
    within: async (tx, customer) => {
      if (!isOfMailbox(attempt, customer)) throw new ApiError('attempt_expired');
      await consumeAttempt(tx, deps.clock, attempt.id);
    },
  });
}

/**
 * Signs in the browser that followed the mailed link. The browser that requested the mail is not signed in.
 * @throws {ApiError} link_expired
 */
export async function signInWithLink(c: Context<ApiEnv>, deps: Deps, token: string): Promise<SignInOutcome> {
  const linkHash = hashToken(token);
  const isGood = and(
    eq(signInAttempts.linkHash, linkHash),
    eq(signInAttempts.kind, 'email_code'),
    isNull(signInAttempts.consumedAt),
    gt(signInAttempts.expiresAt, deps.clock.now()),
    isNotNull(signInAttempts.customerId),
  );
  const [attempt] = await deps.db.select().from(signInAttempts).where(isGood);
  if (!attempt) throw new ApiError('link_expired');
  return finishFirstStep(c, deps, {
    customerId: attempt.customerId ?? '',
    kind: 'magic_link',
    originLinkHash: linkHash,
    // Checked again by hash: another mail may have replaced the link in the meantime.
    within: async (tx, customer) => {
      if (!isOfMailbox(attempt, customer)) throw new ApiError('link_expired');
      const used = await tx
        .update(signInAttempts)
        .set({ consumedAt: deps.clock.now() })
        .where(isGood)
        .returning({ id: signInAttempts.id });
      if (used.length === 0) throw new ApiError('link_expired');
    },
  });
}

/** The response that asks for a mailed code. */
export function waitForCode(temp: string): NextStep {
  return { temp, next: 'email_code', expires_in: ATTEMPT_SECONDS, resend_in: RESEND_SECONDS };
}

function refuseTooSoon({ clock }: Pick<Deps, 'clock'>, { mailsSent, lastMailAt, expiresAt }: Attempt): void {
  const now = clock.now().getTime();
  const nextMailAt =
    mailsSent >= MAX_MAILS ? expiresAt.getTime() : (lastMailAt?.getTime() ?? 0) + RESEND_SECONDS * 1000;
  if (nextMailAt <= now) return;
  throw new ApiError('rate_limited', { retryAfter: Math.ceil((nextMailAt - now) / 1000) });
}

/** Of several concurrent requests one sends a mail. */
async function replaceSecrets(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  attempt: Attempt,
  { codeMac, linkHash }: MailedSecrets,
): Promise<void> {
  const now = clock.now();
  const replaced = await tx
    .update(signInAttempts)
    .set({
      codeMac,
      linkHash,
      mailsSent: sql`${signInAttempts.mailsSent} + 1`,
      lastMailAt: now,
      expiresAt: expiryOf(now),
    })
    .where(
      and(
        eq(signInAttempts.id, attempt.id),
        eq(signInAttempts.mailsSent, attempt.mailsSent),
        isNull(signInAttempts.consumedAt),
      ),
    )
    .returning({ id: signInAttempts.id });
  if (replaced.length === 0) throw new ApiError('rate_limited', { retryAfter: RESEND_SECONDS });
}

function mailSecrets(
  tx: Database,
  deps: Deps,
  { customerId, email, device }: Pick<Attempt, 'customerId' | 'email' | 'device'>,
  { code, link }: MailedSecrets,
): Promise<string> {
  if (customerId === null) {
    return queueAccountMail(tx, deps, { to: email, kind: 'no-account', facts: { device } });
  }
  const url = `${deps.config.origins.portal}${portalPages.verifyMagicLink}#token=${link}`;
  return queueAccountMail(tx, deps, { to: email, kind: 'sign-in-code', facts: { code, link: url, device } });
}
