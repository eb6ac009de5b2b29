import type Stripe from 'stripe';
import { backOff } from '#server/core/backoff.ts';
import { describeError, type Log } from '#server/core/log.ts';
import { ApiError } from '#server/http/api-error.ts';

/** How often a busy call is repeated: some seconds in all. */
const TRIES = 10;
const PAUSE = { first: 50, longest: 1000 };

/**
 * Calls the provider; repeats the call while another request uses its idempotency key or its object.
 * @param call is safe to repeat
 * @throws {ApiError} payment_unavailable if the call fails
 */
export async function callProvider<Answer>(
  { log }: { log: Log },
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

/** The object is unknown, or its state does not allow the call. */
export function isInvalidRequest(error: unknown): boolean {
  return isProviderError(error) && error.type === 'StripeInvalidRequestError';
}

/** A card was declined. */
export function isDecline(error: unknown): error is Stripe.errors.StripeCardError {
  return isProviderError(error) && error.type === 'StripeCardError';
}

/** The answer, or null if the provider says that the request is invalid. */
export async function orNull<Answer>(call: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await call();
  } catch (error) {
    if (isInvalidRequest(error)) return null;
    throw error;
  }
}

/**
 * Nothing was done: another request uses the same key or works on the same object. The provider asks to send it
 * again: https://docs.stripe.com/rate-limits#object-lock-timeouts
 */
function isBusy(error: unknown): boolean {
  return isProviderError(error) && ['idempotency_key_in_use', 'lock_timeout'].includes(error.code ?? '');
}

/** By its type, because the SDK, which has the class, is loaded later than this module. */
function isProviderError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}
