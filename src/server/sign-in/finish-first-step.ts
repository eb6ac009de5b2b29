import type { NextStep, SignInOutcome } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { secondStepOf, strongMethodsOf } from '../security/second-step.ts';
import { CHALLENGE_SECONDS, createSignInChallenge } from './sign-in-challenges.ts';
import { deliverSession, lockCustomer, openSession, type SessionWork } from './start-session.ts';

export type FirstStep = {
  customerId: string;
  kind: 'password' | 'magic_link' | 'passkey';
  /** A passkey with user verification counts as both steps. */
  isBoth?: boolean;
  /** For a sign-in by link: the link, which the second step may name again. */
  originLinkHash?: string | null;
  /** Uses up the code, link or passkey of the step. */
  within: SessionWork;
};

/**
 * Continues after a successful first step: starts a session, or a second step if required.
 * @throws {ApiError} attempt_expired, passkey_refused
 */
export async function finishFirstStep(
  c: HttpContext,
  context: Context,
  first: FirstStep,
): Promise<SignInOutcome> {
  const outcome = await inTransaction(context.db, async (tx) => {
    const customer = await lockCustomer(tx, first.customerId);
    await first.within(tx, customer);
    const next = await nextStepOf(tx, customer, first);
    if (next) return beginSecondStep(c, context, tx, { customer, first, next });
    const isFresh = first.kind !== 'magic_link' || (await strongMethodsOf(tx, customer.id)).length === 0;
    return openSession(c, context, tx, customer, { kind: first.kind, isFresh });
  });
  return 'next' in outcome ? outcome : { token: deliverSession(c, context, outcome) };
}

async function nextStepOf(
  tx: Database,
  customer: CustomerRow,
  first: FirstStep,
): Promise<'authenticator' | 'passkey' | null> {
  if (!customer.mfaRequired || first.isBoth) return null;
  const next = await secondStepOf(tx, customer.id);
  if (next !== 'passkey' || first.kind !== 'passkey') return next;
  // A passkey without user verification cannot be both steps.
  throw new ApiError('passkey_refused', {
    message: 'Sign in with your password or your email first, then use this passkey.',
  });
}

async function beginSecondStep(
  c: HttpContext,
  context: Context,
  tx: Database,
  { customer, first, next }: { customer: CustomerRow; first: FirstStep; next: NextStep['next'] },
): Promise<NextStep> {
  const temp = await createSignInChallenge(tx, context.clock, {
    kind: 'second_step',
    customerId: customer.id,
    email: customer.email,
    device: deviceOf(c),
    firstStep: first.kind,
    originLinkHash: first.originLinkHash ?? null,
  });
  return { temp, next, expires_in: CHALLENGE_SECONDS };
}
