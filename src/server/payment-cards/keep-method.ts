import type Stripe from 'stripe';
import { findAtProvider } from '../card-provider/provider.ts';
import type { Deps } from '../deps.ts';
import { dropMethods, isKept, keepCard } from './keep-card.ts';

/** Where a card was entered, when nobody noted it. */
export const UNKNOWN_DEVICE = 'Unknown device';

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
  deps.jobs.trigger('tend-payment-cards');
}

/** @throws {ApiError} payment_unavailable */
export async function findMethod(deps: Deps, reference: string): Promise<Stripe.PaymentMethod | null> {
  return findAtProvider(deps, () => deps.stripe.paymentMethods.retrieve(reference));
}
