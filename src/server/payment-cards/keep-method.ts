import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { askProvider } from '../payments/provider.ts';
import { dropMethods, isKept, keepCard } from './keep-card.ts';

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
  await jobs.send('keep-card', {
    payment_method: reference,
    device: metadata.device ?? UNKNOWN_DEVICE,
    // An order may be paid by whoever has its address, so one buyer's wish must not save another's card.
    ...(metadata.order_id === undefined ? {} : { only: 'agreed' }),
  });
}

/**
 * Keeps a method as the provider has it now; nothing when it is gone, or nobody's.
 * @param only `agreed`: whoever entered the card must have said so with it (`allow_redisplay`), or it is let go
 * @throws {ApiError} payment_unavailable
 */
export async function keepMethod(
  deps: Deps,
  reference: string,
  { device = UNKNOWN_DEVICE, only }: { device?: string | undefined; only?: string | undefined } = {},
): Promise<void> {
  const method = await findMethod(deps, reference);
  if (!method) return;
  if (only === undefined || method.allow_redisplay === 'always') {
    await keepCard(deps, { method, device });
    return;
  }
  if (await isKept(deps.db, reference)) return;
  await dropMethods(deps.db, [reference], deps.clock.now());
  deps.jobs.ring('tend-payment-cards');
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
