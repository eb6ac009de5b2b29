import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import type { NextStep } from '#contract/identity/sign-in/schemas.ts';
import { portalPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { hashToken } from '#server/core/vault.ts';
import type { Database } from '#server/database/database.ts';
import { signInChallenges } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { type CustomerRow, findCustomer, normalizeEmail } from '../customers.ts';
import {
  CHALLENGE_SECONDS,
  consumeSignInChallenge,
  countGuess,
  createMailedSecrets,
  createSignInChallenge,
  getChallengeExpiry,
  isForCurrentAddress,
  isMailedCode,
  limitCodeMails,
  type MailedSecrets,
  requireSignInChallenge,
  type SignInChallenge,
} from './sign-in-challenges.ts';
import { finishFirstStep, type StartedSession } from './start-session.ts';

/** Between two mails of one challenge. */
export const RESEND_SECONDS = 60;
const MAX_MAILS = 3;

/**
 * Mails a code and a link to the customer. An unknown address gets a mail that says so and the same response, so the
 * caller learns nothing that only the mailbox may know.
 * @throws {ApiError} rate_limited
 */
export async function startEmailCode(
  context: Context,
  { client, customer, ...input }: { client: Client; customer: CustomerRow | null; email: string },
): Promise<NextStep> {
  const email = normalizeEmail(input.email);
  await limitCodeMails(context, { client, customer, email });
  const id = newId('att');
  const { device, language } = client;
  const challenge = { id, customerId: customer?.id ?? null, email, device };
  const mailed = createMailedSecrets(context, id);
  const { temp, mailId } = await inTransaction(context.db, async (tx) => ({
    temp: await createSignInChallenge(tx, context, { kind: 'email_code', ...challenge, mailed }),
    mailId: await mailSecrets(tx, context, { challenge, mailed, language }),
  }));
  sendSoon(context.jobs, mailId);
  return createCodeStep(temp);
}

/**
 * Mails another code and link for a challenge and invalidates the previous ones; guesses are not reset.
 * @throws {ApiError} attempt_expired, rate_limited
 */
export async function resendEmailCode(
  context: Context,
  { client, temp }: { client: Client; temp: string },
): Promise<NextStep> {
  const challenge = await requireSignInChallenge(context, { temp, kind: 'email_code' });
  refuseTooSoon(context, challenge);
  // Queried in either case, so that unknown addresses take the same time.
  const customer = await findCustomer(context.db, challenge.customerId ?? '');
  await limitCodeMails(context, { client, customer, email: challenge.email });
  const mailed = createMailedSecrets(context, challenge.id);
  const mailId = await inTransaction(context.db, async (tx) => {
    await replaceSecrets(tx, context, { challenge, mailed });
    return mailSecrets(tx, context, { challenge, mailed, language: client.language });
  });
  sendSoon(context.jobs, mailId);
  return createCodeStep(temp);
}

/**
 * Signs in with the digits mailed for this challenge.
 * @throws {ApiError} invalid_code; attempt_expired after five wrong ones, while the link stays valid
 */
export async function signInWithEmailCode(
  context: Context,
  { client, temp, code }: { client: Client; temp: string; code: string },
): Promise<NextStep | StartedSession> {
  const challenge = await countGuess(context, { temp, kind: 'email_code' });
  if (!isMailedCode(context, { challenge, code })) throw new ApiError('invalid_code');
  return finishFirstStep(context, {
    client,
    customerId: challenge.customerId ?? '',
    kind: 'magic_link',
    within: async (tx, customer) => {
      if (!isForCurrentAddress(challenge, customer)) throw new ApiError('attempt_expired');
      await consumeSignInChallenge(tx, context, challenge.id);
    },
  });
}

/**
 * Signs in the browser that followed the mailed link. The browser that requested the mail is not signed in.
 * @throws {ApiError} link_expired
 */
export async function signInWithLink(
  context: Context,
  { client, token }: { client: Client; token: string },
): Promise<NextStep | StartedSession> {
  const linkHash = hashToken(token);
  const isGood = and(
    eq(signInChallenges.linkHash, linkHash),
    eq(signInChallenges.kind, 'email_code'),
    isNull(signInChallenges.consumedAt),
    gt(signInChallenges.expiresAt, context.clock.now()),
    isNotNull(signInChallenges.customerId),
  );
  const [challenge] = await context.db.select().from(signInChallenges).where(isGood);
  if (!challenge) throw new ApiError('link_expired');
  return finishFirstStep(context, {
    client,
    customerId: challenge.customerId ?? '',
    kind: 'magic_link',
    originLinkHash: linkHash,
    // Checked again by hash: another mail may have replaced the link in the meantime.
    within: async (tx, customer) => {
      if (!isForCurrentAddress(challenge, customer)) throw new ApiError('link_expired');
      const used = await tx
        .update(signInChallenges)
        .set({ consumedAt: context.clock.now() })
        .where(isGood)
        .returning({ id: signInChallenges.id });
      if (used.length === 0) throw new ApiError('link_expired');
    },
  });
}

/** The response that asks for a mailed code. */
export function createCodeStep(temp: string): NextStep {
  return { temp, next: 'email_code', expires_in: CHALLENGE_SECONDS, resend_in: RESEND_SECONDS };
}

function refuseTooSoon(
  { clock }: Pick<Context, 'clock'>,
  { mailsSent, lastMailAt, expiresAt }: SignInChallenge,
): void {
  const now = clock.now().getTime();
  const nextMailAt =
    mailsSent >= MAX_MAILS ? expiresAt.getTime() : (lastMailAt?.getTime() ?? 0) + RESEND_SECONDS * 1000;
  if (nextMailAt <= now) return;
  throw new ApiError('rate_limited', { retryAfter: Math.ceil((nextMailAt - now) / 1000) });
}

/** Of several concurrent requests one sends a mail. */
async function replaceSecrets(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { challenge, mailed: { codeMac, linkHash } }: { challenge: SignInChallenge; mailed: MailedSecrets },
): Promise<void> {
  const now = clock.now();
  const replaced = await tx
    .update(signInChallenges)
    .set({
      codeMac,
      linkHash,
      mailsSent: sql`${signInChallenges.mailsSent} + 1`,
      lastMailAt: now,
      expiresAt: getChallengeExpiry(now),
    })
    .where(
      and(
        eq(signInChallenges.id, challenge.id),
        eq(signInChallenges.mailsSent, challenge.mailsSent),
        isNull(signInChallenges.consumedAt),
      ),
    )
    .returning({ id: signInChallenges.id });
  if (replaced.length === 0) throw new ApiError('rate_limited', { retryAfter: RESEND_SECONDS });
}

function mailSecrets(
  tx: Database,
  context: Context,
  {
    challenge: { customerId, email, device },
    mailed: { code, link },
    language,
  }: {
    challenge: Pick<SignInChallenge, 'customerId' | 'email' | 'device'>;
    mailed: MailedSecrets;
    language: string;
  },
): Promise<string> {
  if (customerId === null) {
    return queueAccountMail(tx, context, { to: email, language, kind: 'no-account', data: { device } });
  }
  const url = `${context.config.origins.portal}${portalPages.verifyMagicLink}#token=${link}`;
  return queueAccountMail(tx, context, {
    to: email,
    language,
    kind: 'sign-in-code',
    data: { code, link: url, device },
  });
}
