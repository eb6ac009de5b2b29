import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { describeError } from '../log.ts';

/**
 * Calls the card provider. No call is made inside a database transaction: a slow provider must not keep rows
 * locked.
 * @throws {ApiError} payment_unavailable when it does not answer or not as agreed
 */
export async function askProvider<Answer>(
  { log }: Pick<Deps, 'log'>,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    log.error('card provider call failed', describeError(error));
    throw new ApiError('payment_unavailable', { retryAfter: 5 });
  }
}

/** The object exists but is not in a state that allows this: somebody else was faster. */
export function isUnexpectedState(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}
