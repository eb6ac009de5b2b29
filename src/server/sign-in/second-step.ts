import type { Context } from '../context.ts';
import { hashToken } from '../core/vault.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { checkSecondStep } from '../security/second-step.ts';
import { consumeSignInChallenge, countGuess, type SignInChallenge } from './sign-in-challenges.ts';
import { startSession } from './start-session.ts';

/**
 * Completes a sign-in with a code of the authenticator or a recovery code.
 * @param step `link`: the mailed link that started the sign-in, if it is repeated; it must match
 * @returns the session's token
 * @throws {ApiError} invalid_code, attempt_expired, rate_limited
 */
export async function signInWithSecondStep(
  c: HttpContext,
  context: Context,
  { temp, code, link }: { temp: string; code: string; link?: string },
): Promise<string> {
  const challenge = await takeSecondStep(context, temp);
  if (link !== undefined && challenge.originLinkHash !== hashToken(link))
    throw new ApiError('attempt_expired');
  await checkSecondStep(context, challenge.customerId, code, deviceOf(c));
  return startSession(c, context, { customerId: challenge.customerId, kind: 'totp', isFresh: true }, (tx) =>
    consumeSignInChallenge(tx, context.clock, challenge.id),
  );
}

/**
 * The open second step of a handle, after counting one of its five attempts.
 * @throws {ApiError} attempt_expired
 */
export async function takeSecondStep(
  context: Pick<Context, 'db' | 'clock'>,
  temp: string,
): Promise<SignInChallenge & { customerId: string }> {
  const challenge = await countGuess(context, { temp, kind: 'second_step' });
  const { customerId } = challenge;
  if (customerId === null) throw new ApiError('attempt_expired');
  return { ...challenge, customerId };
}
