import Stripe from 'stripe';
import type { AddPaymentCard, PaymentCard } from '#contract/payment-cards/schemas.ts';
import { askProvider } from '../card-provider/provider.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { keepCard } from './keep-card.ts';
import { findHolder } from './provider-customer.ts';
import { readOwnCard } from './read-cards.ts';

/**
 * Adds the card of a setup that the provider says is finished and this customer's. Asked again, it answers the same
 * card: a page that lost the answer, or was loaded anew, finds out this way.
 * @throws {ApiError} setup_refused for what is another's or never was, setup_unfinished, payment_unavailable
 */
export async function addCard(
  deps: Deps,
  { customerId, device }: { customerId: string; device: string },
  { setup_intent_id: setupIntentId, primary: isWantedPrimary }: AddPaymentCard,
): Promise<PaymentCard> {
  const holder = await findHolder(deps.db, customerId);
  const intent = holder && (await findSetup(deps, setupIntentId));
  if (!intent || idOf(intent.customer) !== holder.providerReference) throw new ApiError('setup_refused');
  const { payment_method: method } = intent;
  if (intent.status !== 'succeeded' || method === null) throw new ApiError('setup_unfinished');
  if (typeof method === 'string') throw new ApiError('payment_unavailable', { retryAfter: 5 });
  const kept = await keepCard(deps, { method, device, isWantedPrimary });
  if (kept?.customerId !== customerId) throw new ApiError('setup_refused');
  return readOwnCard(deps, customerId, kept.card.id);
}

async function findSetup(deps: Deps, id: string): Promise<Stripe.SetupIntent | null> {
  return askProvider(deps, async () => {
    try {
      return await deps.stripe.setupIntents.retrieve(id, { expand: ['payment_method'] });
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
      throw error;
    }
  });
}

function idOf(given: string | { id: string } | null): string | null {
  return typeof given === 'string' ? given : (given?.id ?? null);
}
