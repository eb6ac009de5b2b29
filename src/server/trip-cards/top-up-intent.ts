import Stripe from 'stripe';
import { portalPages } from '#contract/paths.ts';
import { askProvider } from '../card-provider/provider.ts';
import { toProviderMoney } from '../card-provider/provider-amounts.ts';
import type { Deps } from '../deps.ts';
import { findHolder } from '../payment-cards/provider-customer.ts';
import type { SavedCard } from '../payment-cards/queries.ts';
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
          ...toProviderMoney(topUp),
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

/**
 * The intent of a top-up by saved card whose answer never came: it may have been charged all the same. Asked for
 * without making one, because nobody may be waiting for it any more.
 * @returns null when there is none
 * @throws {ApiError} payment_unavailable
 */
export async function findLostIntent(deps: Deps, topUp: TopUpRow): Promise<Stripe.PaymentIntent | null> {
  const payer = await findHolder(deps.db, topUp.byCustomerId);
  if (payer === null) return null;
  return askProvider(deps, async () => {
    const since = Math.floor((topUp.insertedAt.getTime() - CLOCKS_DIFFER_MS) / 1000);
    const wish = { customer: payer.providerReference, created: { gte: since }, limit: 100 };
    for await (const intent of deps.stripe.paymentIntents.list(wish)) {
      if (intent.metadata.top_up_id === topUp.id) return intent;
    }
    return null;
  });
}

const CLOCKS_DIFFER_MS = 10 * 60_000;

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
