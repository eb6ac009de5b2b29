import { and, eq, isNull } from 'drizzle-orm';
import type { NextStep, Reauthenticate, SignInOutcome, StepUpMethod } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type CustomerRow, requireCustomer } from '../customers/queries.ts';
import { signInChallenges } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { HttpContext, SignedIn } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { findKnownDevice } from '../security/known-device.ts';
import { verifyAssertion } from '../security/passkeys.ts';
import { checkSecondStep } from '../security/second-step.ts';
import { stepUpMethodsOf, stepUpRequired } from '../security/step-up.ts';
import { renewSession } from '../sessions/sessions.ts';
import { createCodeStep, RESEND_SECONDS } from './email-code.ts';
import { limitCodeMails } from './mail-limits.ts';
import { checkPassword } from './password.ts';
import {
  consumeSignInChallenge,
  countGuess,
  createMailedSecrets,
  createSignInChallenge,
  isForCurrentAddress,
  isMailedCode,
} from './sign-in-challenges.ts';
import { lockCustomer, type SessionWork } from './start-session.ts';

/**
 * Confirms the identity of a signed-in customer. The session continues with a new token, fresh for ten minutes; `send`
 * mails a code first.
 * @throws {ApiError} step_up_required if the method is not sufficient for this account; the errors of each method
 */
export async function reauthenticate(
  c: HttpContext,
  context: Context,
  { customerId, sessionId }: SignedIn,
  proof: Reauthenticate,
): Promise<SignInOutcome> {
  const customer = await requireCustomer(context.db, customerId);
  const methods = await stepUpMethodsOf(context.db, customerId);
  if (!methods.includes(methodOf(proof))) throw stepUpRequired(methods);
  if ('send' in proof) return sendCode(c, context, customer);
  const within = await checkProof(c, context, customer, proof);
  const token = await inTransaction(context.db, async (tx) => {
    const now = await lockCustomer(tx, customerId);
    // Two-step sign-in was turned on in the meantime, so the method may no longer be sufficient.
    if (now.mfaRequired && !customer.mfaRequired) {
      throw stepUpRequired(await stepUpMethodsOf(tx, customerId));
    }
    await within(tx, now);
    return renewSession({ db: tx, clock: context.clock }, sessionId);
  });
  return { token };
}

type Proof = Exclude<Reauthenticate, { send: 'email_code' }>;

function methodOf(proof: Reauthenticate): StepUpMethod {
  if ('password' in proof) return 'password';
  if ('response' in proof) return 'passkey';
  return 'temp' in proof || 'send' in proof ? 'email_code' : 'authenticator';
}

async function checkProof(
  c: HttpContext,
  context: Context,
  customer: CustomerRow,
  proof: Proof,
): Promise<SessionWork> {
  if ('password' in proof) {
    return checkPassword(c, context, customer, { email: customer.email, password: proof.password });
  }
  if ('response' in proof) {
    const { customerId } = await verifyAssertion(context, proof);
    if (customerId !== customer.id) throw new ApiError('passkey_refused');
    return async () => {};
  }
  if (!('temp' in proof)) {
    await checkSecondStep(context, customer.id, proof.code, deviceOf(c));
    return async () => {};
  }
  const challenge = await countGuess(context, { temp: proof.temp, kind: 'step_up' });
  if (challenge.customerId !== customer.id) throw new ApiError('attempt_expired');
  if (!isMailedCode(context.vault, challenge, proof.code)) throw new ApiError('invalid_code');
  return async (tx, now) => {
    if (!isForCurrentAddress(challenge, now)) throw new ApiError('attempt_expired');
    await consumeSignInChallenge(tx, context.clock, challenge.id);
  };
}

/** Mails a code and invalidates the previous one. */
async function sendCode(c: HttpContext, context: Context, customer: CustomerRow): Promise<NextStep> {
  await rateLimit(context, {
    name: 'step-up-mail',
    who: customer.id,
    limit: 1,
    windowSeconds: RESEND_SECONDS,
  });
  const knownDevice = findKnownDevice(c, context, customer);
  await limitCodeMails(c, context, { email: customer.email, knownDevice });
  const device = deviceOf(c);
  const id = newId('att');
  const mailed = createMailedSecrets(context.vault, id);
  const { temp, mailId } = await inTransaction(context.db, async (tx) => {
    await tx
      .update(signInChallenges)
      .set({ consumedAt: context.clock.now() })
      .where(
        and(
          eq(signInChallenges.customerId, customer.id),
          eq(signInChallenges.kind, 'step_up'),
          isNull(signInChallenges.consumedAt),
        ),
      );
    const challenge = {
      kind: 'step_up',
      id,
      customerId: customer.id,
      email: customer.email,
      device,
    } as const;
    return {
      temp: await createSignInChallenge(tx, context.clock, {
        ...challenge,
        mailed: { ...mailed, linkHash: null },
      }),
      mailId: await queueAccountMail(tx, context, {
        to: customer.email,
        kind: 'step-up-code',
        facts: { code: mailed.code, device },
      }),
    };
  });
  sendSoon(context.jobs, mailId);
  return createCodeStep(temp);
}
