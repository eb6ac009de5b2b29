import type { NextStep } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import type { CustomerRow } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { secondStepOf, strongMethodsOf } from '../security/second-step.ts';
import { CHALLENGE_SECONDS, createSignInChallenge } from './sign-in-challenges.ts';
import { lockCustomer, openSession, type SessionWork, type StartedSession } from './start-session.ts';

export type FirstStep = {
  client: Client;
  customerId: string;
  kind: 'password' | 'magic_link' | 'passkey';
  /** A passkey with user verification counts as both steps. */
  isBoth?: boolean;
  /** For a sign-in by link: the link, which the second step may name again. */
  originLinkHash?: string;
  /** Uses up the code, link or passkey of the step. */
  within: SessionWork;
};

/**
 * Continues after a successful first step: starts a session, or a second step if required.
 * @throws {ApiError} attempt_expired, passkey_refused
 */
export async function finishFirstStep(
  context: Context,
  first: FirstStep,
): Promise<NextStep | StartedSession> {
  const outcome = await inTransaction(context.db, async (tx) => {
    const customer = await lockCustomer(tx, first.customerId);
    await first.within(tx, customer);
    const next = await findNextStep(tx, customer, first);
    if (next) return startSecondStep(tx, context, { customer, first, next });
    const isFresh = first.kind !== 'magic_link' || (await strongMethodsOf(tx, customer.id)).length === 0;
    return openSession(tx, context, { client: first.client, customer, kind: first.kind, isFresh });
  });
  if ('next' in outcome) return outcome;
  sendSoon(context.jobs, outcome.mailId);
  return outcome;
}

async function findNextStep(
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

async function startSecondStep(
  tx: Database,
  context: Context,
  { customer, first, next }: { customer: CustomerRow; first: FirstStep; next: NextStep['next'] },
): Promise<NextStep> {
  const temp = await createSignInChallenge(tx, context, {
    kind: 'second_step',
    customerId: customer.id,
    email: customer.email,
    device: first.client.device,
    firstStep: first.kind,
    originLinkHash: first.originLinkHash ?? null,
  });
  return { temp, next, expires_in: CHALLENGE_SECONDS };
}
