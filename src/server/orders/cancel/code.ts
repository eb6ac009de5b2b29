import type { Buyer, MailedCode } from '#contract/orders/cancel/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { DAY_SECONDS, HOUR_SECONDS, rateLimit } from '#server/http/rate-limit.ts';
import { normalizeEmail } from '#server/identity/customers.ts';
import {
  CHALLENGE_SECONDS,
  consumeSignInChallenge,
  countGuess,
  createMailedSecrets,
  createSignInChallenge,
} from '#server/identity/sign-in/sign-in-challenges.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { createMailboxSecret } from '../buyer.ts';
import { maskEmail } from '../presenter.ts';

/**
 * Counted per order only. Mails that strangers ask for to sign in must not use up a guest's codes, and hundreds of guests
 * share the network of a terminal whose boat is canceled.
 */
const CODES_PER_HOUR = { name: 'order-code-hour', limit: 5, windowSeconds: HOUR_SECONDS };
const CODES_PER_DAY = { name: 'order-code-day', limit: 20, windowSeconds: DAY_SECONDS };

/** What a browser sends to prove that its user reads the buyer's mail. */
export type CodeProof = { temp: string; code: string };

/**
 * Mails the buyer of an order a code that permits a change of it. The order's link alone does not, because travel
 * companions have it too.
 * @throws {ApiError} change_not_allowed for an order without an address; rate_limited
 */
export async function mailOrderCode(
  context: Context,
  { client, order }: { client: Client; order: OrderRow },
): Promise<MailedCode> {
  if (order.contactEmail === '') throw new ApiError('change_not_allowed', { reason: 'no_email_address' });
  const email = normalizeEmail(order.contactEmail);
  await rateLimit(context, { ...CODES_PER_HOUR, who: order.id });
  await rateLimit(context, { ...CODES_PER_DAY, who: order.id });
  const id = newId('att');
  const { code } = createMailedSecrets(context, id);
  const codeMac = context.vault.sign(PURPOSE, describeProof({ challengeId: id, orderId: order.id, code }));
  const { device } = client;
  const { temp, mailId } = await inTransaction(context.db, async (tx) => ({
    temp: await createSignInChallenge(tx, context, {
      kind: 'order',
      ...{ id, customerId: null, email, device, mailed: { codeMac, linkHash: null } },
    }),
    mailId: await queueAccountMail(tx, context, {
      to: order.contactEmail,
      language: order.locale,
      kind: 'order-code',
      data: { code, reference: order.reference, device },
    }),
  }));
  sendSoon(context.jobs, mailId);
  return { temp, email: maskEmail(order.contactEmail), expires_in: CHALLENGE_SECONDS };
}

/**
 * Checks a mailed code. The returned work uses it up in the transaction of the change, so a refused change keeps it.
 * @throws {ApiError} invalid_code; attempt_expired, also after five guesses and once the order has another address
 */
async function checkOrderCode(
  context: Context,
  { order, proof: { temp, code } }: { order: OrderRow; proof: CodeProof },
): Promise<(tx: Database, now: OrderRow) => Promise<void>> {
  const challenge = await explainExpiry(() => countGuess(context, { temp, kind: 'order' }));
  const isRight = context.vault.verify(
    PURPOSE,
    describeProof({ challengeId: challenge.id, orderId: order.id, code }),
    challenge.codeMac ?? '',
  );
  if (!isRight) throw new ApiError('invalid_code', { field: 'proof.code' });
  return async (tx, { contactEmail }) => {
    if (normalizeEmail(contactEmail) !== challenge.email) throw codeExpired();
    await explainExpiry(() => consumeSignInChallenge(tx, context, challenge.id));
  };
}

/**
 * Exchanges a mailed code for what only the buyer sees, and the right to change it.
 * @throws {ApiError} invalid_code, attempt_expired
 */
export async function proveBuyer(
  context: Context,
  { order, proof }: { order: OrderRow; proof: CodeProof },
): Promise<Buyer> {
  const prove = await checkOrderCode(context, { order, proof });
  await inTransaction(context.db, (tx) => prove(tx, order));
  return {
    buyer_secret: createMailboxSecret(context, order),
    contact: { name: order.contactName, email: order.contactEmail, phone: order.contactPhone },
    assistance: order.assistance?.travelers ?? [],
  };
}

/** The text of `attempt_expired` is about signing in. */
async function explainExpiry<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError && error.code === 'attempt_expired' ? codeExpired() : error;
  }
}

function codeExpired(): ApiError {
  return new ApiError('attempt_expired', {
    field: 'proof.code',
    reason: 'code_used_up',
  });
}

/**
 * Like `checkOrderCode`, where a code may be missing.
 * @throws {ApiError} invalid_code, attempt_expired
 */
export function requireOrderCode(
  context: Context,
  { order, proof }: { order: OrderRow; proof: CodeProof | undefined },
): ReturnType<typeof checkOrderCode> {
  if (proof === undefined) throw new ApiError('invalid_code', { field: 'proof' });
  return checkOrderCode(context, { order, proof });
}

const PURPOSE = 'order-code';

/** A code is for one challenge and one order. */
function describeProof({
  challengeId,
  orderId,
  code,
}: Record<'challengeId' | 'orderId' | 'code', string>): string {
  return [challengeId, orderId, code].join(' ');
}
