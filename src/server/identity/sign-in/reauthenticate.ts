import { and, eq, isNull } from 'drizzle-orm';
import type {
  NextStep,
  Reauthenticate,
  SignInOutcome,
  StepUpMethod,
} from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { signInChallenges } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import type { CustomerSession } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { type CustomerRow, requireCustomer } from '../customers.ts';
import { verifyAssertion } from '../security/passkeys.ts';
import { checkSecondStep } from '../security/second-step.ts';
import { listStepUpMethods, stepUpRequired } from '../security/step-up.ts';
import { renewSession } from '../sessions.ts';
import { createCodeStep, RESEND_SECONDS } from './email-code.ts';
import { checkPassword } from './password.ts';
import {
  consumeSignInChallenge,
  countGuess,
  createMailedSecrets,
  createSignInChallenge,
  isForCurrentAddress,
  isMailedCode,
  limitCodeMails,
} from './sign-in-challenges.ts';
import { lockCustomer, type SessionWork } from './start-session.ts';

const STEP_UP_MAILS = { name: 'step-up-mail', limit: 1, windowSeconds: RESEND_SECONDS };

/**
 * Confirms the identity of a signed-in customer. The session continues with a new token, fresh for ten minutes; `send`
 * mails a code first.
 * @throws {ApiError} step_up_required if the method is not sufficient for this account; the errors of each method
 */
export async function reauthenticate(
  context: Context,
  {
    client,
    session: { customerId, sessionId },
    proof,
  }: { client: Client; session: CustomerSession; proof: Reauthenticate },
): Promise<SignInOutcome> {
  const customer = await requireCustomer(context.db, customerId);
  const methods = await listStepUpMethods(context.db, customerId);
  if (!methods.includes(getMethod(proof))) throw stepUpRequired(methods);
  if ('send' in proof) return sendCode(context, { client, customer });
  const within = await checkProof(context, { client, customer, proof });
  const token = await inTransaction(context.db, async (tx) => {
    const now = await lockCustomer(tx, customerId);
    // Two-step sign-in was turned on in the meantime, so the method may no longer be sufficient.
    if (now.mfaRequired && !customer.mfaRequired) {
      throw stepUpRequired(await listStepUpMethods(tx, customerId));
    }
    await within(tx, now);
    return renewSession(tx, context, sessionId);
  });
  return { token };
}

type Proof = Exclude<Reauthenticate, { send: 'email_code' }>;

function getMethod(proof: Reauthenticate): StepUpMethod {
  if ('password' in proof) return 'password';
  if ('response' in proof) return 'passkey';
  return 'temp' in proof || 'send' in proof ? 'email_code' : 'authenticator';
}

async function checkProof(
  context: Context,
  { client, customer, proof }: { client: Client; customer: CustomerRow; proof: Proof },
): Promise<SessionWork> {
  if ('password' in proof) {
    const { password } = proof;
    return checkPassword(context, { client, customer, email: customer.email, password });
  }
  if ('response' in proof) {
    const { customerId } = await verifyAssertion(context, proof);
    if (customerId !== customer.id) throw new ApiError('passkey_refused');
    return async () => {};
  }
  if (!('temp' in proof)) {
    const { code } = proof;
    await checkSecondStep(context, { customerId: customer.id, code, device: client.device });
    return async () => {};
  }
  const challenge = await countGuess(context, { temp: proof.temp, kind: 'step_up' });
  if (challenge.customerId !== customer.id) throw new ApiError('attempt_expired');
  if (!isMailedCode(context, { challenge, code: proof.code })) throw new ApiError('invalid_code');
  return async (tx, now) => {
    if (!isForCurrentAddress(challenge, now)) throw new ApiError('attempt_expired');
    await consumeSignInChallenge(tx, context, challenge.id);
  };
}

/** Mails a code and invalidates the previous one. */
async function sendCode(
  context: Context,
  { client, customer }: { client: Client; customer: CustomerRow },
): Promise<NextStep> {
  const { id: customerId, email } = customer;
  const { device, language } = client;
  await rateLimit(context, { ...STEP_UP_MAILS, who: customerId });
  await limitCodeMails(context, { client, customer, email });
  const id = newId('att');
  const mailed = createMailedSecrets(context, id);
  const { temp, mailId } = await inTransaction(context.db, async (tx) => {
    await tx
      .update(signInChallenges)
      .set({ consumedAt: context.clock.now() })
      .where(
        and(
          eq(signInChallenges.customerId, customerId),
          eq(signInChallenges.kind, 'step_up'),
          isNull(signInChallenges.consumedAt),
        ),
      );
    const challenge = { kind: 'step_up', id, customerId, email, device } as const;
    const data = { code: mailed.code, device };
    return {
      temp: await createSignInChallenge(tx, context, {
        ...challenge,
        mailed: { ...mailed, linkHash: null },
      }),
      mailId: await queueAccountMail(tx, context, { to: email, language, kind: 'step-up-code', data }),
    };
  });
  sendSoon(context.jobs, mailId);
  return createCodeStep(temp);
}
