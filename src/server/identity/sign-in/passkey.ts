import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { NextStep, VerifyPasskeySchema } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { createAssertionOptions, type PasskeyOptions } from '#server/credentials/webauthn.ts';
import type { Database } from '#server/database/database.ts';
import { passkeys } from '#server/database/schema/people.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { customerSites, type VerifiedAssertion, verifyAssertion } from '../security/passkeys.ts';
import { type SecondStep, takeSecondStep } from './second-step.ts';
import { consumeSignInChallenge } from './sign-in-challenges.ts';
import { finishFirstStep, type StartedSession, startSession } from './start-session.ts';

/**
 * The options with which a browser asks for a passkey.
 * @throws {ApiError} rate_limited
 */
export async function createPasskeyRequest(context: Context, client: Client): Promise<PasskeyOptions> {
  await limitPasskeys(context, { client, name: 'passkey-challenge' });
  return createAssertionOptions(context, customerSites(context.config), 'sign-in');
}

/**
 * Signs in with a passkey, alone or as the second step of a sign-in.
 * @throws {ApiError} unknown_credential, passkey_refused, attempt_expired, rate_limited
 */
export async function signInWithPasskey(
  context: Context,
  { client, temp, response, first_temp: firstTemp }: z.infer<typeof VerifyPasskeySchema> & { client: Client },
): Promise<NextStep | StartedSession> {
  await limitPasskeys(context, { client, name: 'passkey-verify' });
  const first = firstTemp === undefined ? null : await takeSecondStep(context, firstTemp);
  const assertion = await verifyAssertion(context, { temp, response });
  if (first) return finishSecondStep(context, { client, first, assertion });
  return finishFirstStep(context, {
    client,
    customerId: assertion.customerId,
    kind: 'passkey',
    isBoth: assertion.userVerified,
    within: (tx) => requirePasskey(tx, assertion),
  });
}

async function finishSecondStep(
  context: Context,
  { client, first, assertion }: { client: Client; first: SecondStep; assertion: VerifiedAssertion },
): Promise<StartedSession> {
  const { customerId, userVerified } = assertion;
  const isSecond = first.firstStep !== 'passkey' || userVerified;
  if (first.customerId !== customerId || !isSecond) throw new ApiError('passkey_refused');
  return startSession(context, {
    client,
    customerId,
    kind: 'passkey',
    isFresh: true,
    within: async (tx) => {
      await requirePasskey(tx, assertion);
      await consumeSignInChallenge(tx, context, first.id);
    },
  });
}

/** Checked again under the customer's lock: its owner may have removed it in the meantime. */
async function requirePasskey(tx: Database, { passkeyId }: VerifiedAssertion): Promise<void> {
  const rows = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, passkeyId));
  if (rows.length === 0) throw new ApiError('unknown_credential');
}

function limitPasskeys(context: Context, { client, name }: { client: Client; name: string }): Promise<void> {
  return rateLimit(context, { name, who: client.network, limit: 60, windowSeconds: 60 });
}
