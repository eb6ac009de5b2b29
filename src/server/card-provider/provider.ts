import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { describeError } from '../log.ts';

/** How long an answer is waited for that another of our requests is about to get: some seconds in all. */
const WAIT_MS = 200;
const WAITS = 10;

/**
 * Calls the card provider. No call is made inside a database transaction: a slow provider must not keep rows
 * locked. Of two calls under one idempotency key at the same moment the second waits for the first one's answer.
 * @param call is safe to repeat
 * @throws {ApiError} payment_unavailable when it does not answer or not as agreed
 */
export async function askProvider<Answer>(
  { log }: Pick<Deps, 'log'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let wait = 1; ; wait += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isKeyInUse(error) || wait > WAITS) {
        log.error('card provider call failed', describeError(error));
        throw new ApiError('payment_unavailable', { retryAfter: 5 });
      }
      await delay(WAIT_MS);
    }
  }
}

/**
 * Cancels an intent that can be cancelled.
 * @returns it as it then is
 * @throws {ApiError} payment_unavailable
 */
export async function cancelIntent(
  deps: Pick<Deps, 'log' | 'stripe'>,
  id: string,
): Promise<Stripe.PaymentIntent> {
  return askProvider(deps, async () => {
    const intent = await deps.stripe.paymentIntents.retrieve(id);
    const isOver = intent.status === 'succeeded' || intent.status === 'canceled';
    if (isOver || intent.status === 'processing') return intent;
    try {
      return await deps.stripe.paymentIntents.cancel(id);
    } catch (error) {
      if (!isUnexpectedState(error)) throw error;
      return deps.stripe.paymentIntents.retrieve(id);
    }
  });
}

/** The object exists but is not in a state that allows this: somebody else was faster. */
export function isUnexpectedState(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Nothing was done: the same request is being answered already, and its answer can be had as soon as it is there. */
function isKeyInUse(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';
}
