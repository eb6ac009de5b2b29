import Stripe from 'stripe';
import { backOff } from '../backoff.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { describeError } from '../log.ts';

/** How often, and with which pauses, a call is repeated that another of ours is in the way of: some seconds in all. */
const TRIES = 10;
const PAUSE = { first: 50, longest: 1000 };

/**
 * Calls the card provider. No call is made inside a database transaction: a slow provider must not keep rows
 * locked. A call that another of ours is in the way of, by its idempotency key or at its object, is repeated.
 * @param call is safe to repeat
 * @throws {ApiError} payment_unavailable when it does not answer or not as agreed
 */
export async function askProvider<Answer>(
  { log }: Pick<Deps, 'log'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isBusy(error) || tries >= TRIES) {
        log.error('card provider call failed', describeError(error));
        throw new ApiError('payment_unavailable', { retryAfter: 5 });
      }
      await backOff(tries, PAUSE);
    }
  }
}

/**
 * As `askProvider`, for an object that may not be there.
 * @returns null when the provider does not know it
 * @throws {ApiError} payment_unavailable
 */
export async function findAtProvider<Answer>(
  deps: Pick<Deps, 'log'>,
  call: () => Promise<Answer>,
): Promise<Answer | null> {
  return askProvider(deps, async () => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  });
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

/**
 * Nothing was done, because another request is being answered under the same key or works on the same object. The
 * provider asks to send it again: https://docs.stripe.com/rate-limits#object-lock-timeouts
 */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  return error.code === 'idempotency_key_in_use' || error.code === 'lock_timeout';
}
