import Stripe from 'stripe';
import { portalPages } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import type { SavedCard } from '../payment-cards/queries.ts';
import { askProvider } from '../payments/provider.ts';
import type { TopUpRow } from './apply-top-up.ts';

/** Who pays: a saved card, its owner before the screen or not; somebody whose new card is to be saved; or anybody. */
export type Payer =
  | { kind: 'saved'; card: SavedCard; isPresent: boolean }
  | { kind: 'new'; saveFor: string | null };

/**
 * The top-up's intent at the provider, made under a key of its own. A saved card is charged with it, and one that is
 * declined is an answer too: the intent says so.
 * @param device where it was asked for, in words
 * @throws {ApiError} payment_unavailable
 */
export async function topUpIntent(
  deps: Deps,
  topUp: TopUpRow,
  payer: Payer,
  device: string,
): Promise<Stripe.PaymentIntent> {
  const { providerReference: reference } = topUp;
  return askProvider(deps, async () => {
    if (reference !== null) return deps.stripe.paymentIntents.retrieve(reference);
    try {
      return await deps.stripe.paymentIntents.create(
        {
          amount: topUp.amount,
          currency: topUp.currency.toLowerCase(),
          allowed_payment_method_types: ['card'],
          description: 'Trip card top-up',
          metadata: { top_up_id: topUp.id, trip_card_id: topUp.tripCardId, device },
          ...payerParameters(deps, payer),
        },
        { idempotencyKey: `top_up:${topUp.id}` },
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeCardError) || !error.payment_intent) throw error;
      return deps.stripe.paymentIntents.retrieve(error.payment_intent.id);
    }
  });
}

function payerParameters(
  { config }: Pick<Deps, 'config'>,
  payer: Payer,
): Partial<Stripe.PaymentIntentCreateParams> {
  if (payer.kind === 'new') {
    return payer.saveFor === null ? {} : { customer: payer.saveFor, setup_future_usage: 'off_session' };
  }
  const { providerCustomerId, providerReference } = payer.card;
  const charge = { customer: providerCustomerId, payment_method: providerReference, confirm: true };
  if (!payer.isPresent) return { ...charge, off_session: true };
  // The bank's question is shown over the page the customer is on.
  return { ...charge, use_stripe_sdk: true, return_url: config.origins.portal + portalPages.tripCards };
}
