import type { Context } from '#server/context.ts';
import { hashToken } from '#server/core/vault.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { checkSecondStep } from '../security/second-step.ts';
import { consumeSignInChallenge, countGuess, type SignInChallenge } from './sign-in-challenges.ts';
import { type StartedSession, startSession } from './start-session.ts';

/** The challenge of a second step; its customer has an account. */
export type SecondStep = SignInChallenge & { customerId: string };

/**
 * Completes a sign-in with a code of the authenticator or a recovery code.
 * @param input `link`: the mailed link that started the sign-in, if it is repeated; it must match
 * @throws {ApiError} invalid_code, attempt_expired, rate_limited
 */
export async function signInWithSecondStep(
  context: Context,
  { client, temp, code, link }: { client: Client; temp: string; code: string; link?: string },
): Promise<StartedSession> {
  const challenge = await takeSecondStep(context, temp);
  if (link !== undefined && challenge.originLinkHash !== hashToken(link))
    throw new ApiError('attempt_expired');
  const { customerId } = challenge;
  await checkSecondStep(context, { customerId, code, device: client.device });
  return startSession(context, {
    client,
    customerId,
    kind: 'authenticator',
    isFresh: true,
    within: (tx) => consumeSignInChallenge(tx, context, challenge.id),
  });
}

/**
 * The open second step of a handle, after counting one of its five attempts.
 * @throws {ApiError} attempt_expired
 */
export async function takeSecondStep(
  context: Pick<Context, 'db' | 'clock'>,
  temp: string,
): Promise<SecondStep> {
  const challenge = await countGuess(context, { temp, kind: 'second_step' });
  const { customerId } = challenge;
  if (customerId === null) throw new ApiError('attempt_expired');
  return { ...challenge, customerId };
}
