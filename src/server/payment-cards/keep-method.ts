import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { askProvider } from '../payments/provider.ts';
import { keepCard } from './keep-card.ts';

/** Where a card was entered, when nobody noted it. */
export const UNKNOWN_DEVICE = 'Unknown device';

/**
 * Asks for the card a successful payment was to save, if it was: `setup_future_usage` on an intent of a customer.
 * Done by a job, so that paying never waits for it; call it after the commit.
 */
export async function askToKeep({ jobs }: Pick<Deps, 'jobs'>, intent: Stripe.PaymentIntent): Promise<void> {
  const { payment_method: method, metadata } = intent;
  const reference = typeof method === 'string' ? method : method?.id;
  if (!isToBeSaved(intent) || reference === undefined) return;
  await jobs.send('keep-card', { payment_method: reference, device: metadata.device ?? UNKNOWN_DEVICE });
}

/**
 * Keeps a method as the provider has it now; nothing when it is gone, or nobody's.
 * @throws {ApiError} payment_unavailable
 */
export async function keepMethod(deps: Deps, reference: string, device = UNKNOWN_DEVICE): Promise<void> {
  const method = await findMethod(deps, reference);
  if (method) await keepCard(deps, { method, device });
}

/** @throws {ApiError} payment_unavailable */
export async function findMethod(deps: Deps, reference: string): Promise<Stripe.PaymentMethod | null> {
  return askProvider(deps, async () => {
    try {
      return await deps.stripe.paymentMethods.retrieve(reference);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  });
}

function isToBeSaved(intent: Stripe.PaymentIntent): boolean {
  return intent.status === 'succeeded' && intent.setup_future_usage !== null && intent.customer !== null;
}
