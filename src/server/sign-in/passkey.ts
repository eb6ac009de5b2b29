import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { SignInOutcome, VerifyPasskeySchema } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { passkeys } from '../database/schema/people.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/client-address.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { createSignInOptions } from '../security/passkey-challenge.ts';
import { verifyAssertion } from '../security/passkeys.ts';
import { finishFirstStep } from './finish-first-step.ts';
import { takeSecondStep } from './second-step.ts';
import { consumeSignInChallenge } from './sign-in-challenges.ts';
import { startSession } from './start-session.ts';

type Assertion = Awaited<ReturnType<typeof verifyAssertion>>;

/**
 * The options with which a browser asks for a passkey.
 * @throws {ApiError} rate_limited
 */
export async function createPasskeyRequest(
  c: HttpContext,
  context: Context,
): Promise<Awaited<ReturnType<typeof createSignInOptions>>> {
  await limitPasskeys(c, context, 'passkey-challenge');
  return createSignInOptions(context);
}

/**
 * Signs in with a passkey, alone or as the second step of a sign-in.
 * @throws {ApiError} unknown_credential, passkey_refused, attempt_expired, rate_limited
 */
export async function signInWithPasskey(
  c: HttpContext,
  context: Context,
  { temp, response, first_temp: firstTemp }: z.infer<typeof VerifyPasskeySchema>,
): Promise<SignInOutcome> {
  await limitPasskeys(c, context, 'passkey-verify');
  const first = firstTemp === undefined ? null : await takeSecondStep(context, firstTemp);
  const assertion = await verifyAssertion(context, { temp, response });
  if (first) return { token: await finishSecondStep(c, context, first, assertion) };
  return finishFirstStep(c, context, {
    customerId: assertion.customerId,
    kind: 'passkey',
    isBoth: assertion.userVerified,
    within: (tx) => requirePasskey(tx, assertion),
  });
}

async function finishSecondStep(
  c: HttpContext,
  context: Context,
  first: Awaited<ReturnType<typeof takeSecondStep>>,
  assertion: Assertion,
): Promise<string> {
  const { customerId, userVerified } = assertion;
  const isSecond = first.firstStep !== 'passkey' || userVerified;
  if (first.customerId !== customerId || !isSecond) throw new ApiError('passkey_refused');
  return startSession(c, context, { customerId, kind: 'passkey', isFresh: true }, async (tx) => {
    await requirePasskey(tx, assertion);
    await consumeSignInChallenge(tx, context.clock, first.id);
  });
}

/** Checked again under the customer's lock: its owner may have removed it in the meantime. */
async function requirePasskey(tx: Database, { passkeyId }: Assertion): Promise<void> {
  const found = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, passkeyId));
  if (found.length === 0) throw new ApiError('unknown_credential');
}

async function limitPasskeys(c: HttpContext, context: Context, name: string): Promise<void> {
  await rateLimit(context, { name, who: networkOf(c.var.remoteAddress), limit: 60, windowSeconds: 60 });
}
