import Stripe from 'stripe';
import { presentDecline } from '#contract/payments/declines.ts';
import { declineOf } from '../card-provider/intent-state.ts';
import { askProvider, isUnexpectedState } from '../card-provider/provider.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { ensureProviderCustomer } from '../payment-cards/provider-customer.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { settlePaymentIntent } from '../payments/apply-payment-intent.ts';
import type { TripCardInput } from './trip-card-part.ts';

/** What a signed-in customer may wish for when paying: one of the payment cards or none, and a trip card or none. */
export type PaymentInput = {
  customerId: string;
  sessionId: string;
  device: string;
  /** A saved card to charge now. */
  paymentCardId: string | null;
  /** Whether the card that pays is kept for next time. */
  isToBeSaved: boolean;
  tripCard: TripCardInput | null;
};

/**
 * The saved card that is wished for, if one is.
 * @throws {ApiError} not_found for another's and for none alike, card_expired
 */
export async function requireSavedCard(deps: Deps, wish: PaymentInput | null): Promise<SavedCard | null> {
  if (!wish?.paymentCardId) return null;
  const card = await findSavedCard(deps, wish.customerId, wish.paymentCardId);
  if (!card) throw notFound();
  if (card.isExpired) throw new ApiError('card_expired');
  return card;
}

/**
 * Makes the intent what is wished for now. Whoever wished before is no matter: a card is kept only for the customer
 * who last said so, and for nobody when a visitor goes on. One that was paid meanwhile stays as it is.
 * @throws {ApiError} payment_unavailable
 */
export async function fitIntent(
  deps: Deps,
  intent: Stripe.PaymentIntent,
  wish: PaymentInput | null,
): Promise<Stripe.PaymentIntent> {
  const later = wish?.isToBeSaved ? 'off_session' : null;
  const needsCustomer = wish !== null && (wish.isToBeSaved || wish.paymentCardId !== null);
  const customer = needsCustomer ? await ensureProviderCustomer(deps, wish.customerId) : null;
  const isFitting =
    intent.setup_future_usage === later && (customer === null || customerOf(intent) === customer);
  if (isFitting) return intent;
  return askProvider(deps, async () => {
    try {
      return await deps.stripe.paymentIntents.update(intent.id, {
        setup_future_usage: later ?? '',
        ...(customer === null ? {} : { customer }),
        ...(wish ? { metadata: { device: wish.device } } : {}),
      });
    } catch (error) {
      const truth = await deps.stripe.paymentIntents.retrieve(intent.id);
      const isOver = truth.status === 'succeeded' || truth.status === 'processing';
      // Another press was faster: there is nothing to fit any more.
      if (isUnexpectedState(error) && isOver) return truth;
      throw error;
    }
  });
}

/**
 * Charges a saved card. What comes of it is settled before this answers, declines included.
 * @returns the intent as it then is: succeeded, processing, or waiting for the bank to see its customer
 * @throws {ApiError} card_declined, payment_failed, authentication_required, order_closed, payment_unavailable
 */
export async function chargeSavedCard(
  deps: Deps,
  intent: Stripe.PaymentIntent,
  { card, orderId }: { card: SavedCard; orderId: string },
): Promise<Stripe.PaymentIntent> {
  const truth = await askProvider(deps, async () => {
    try {
      return await deps.stripe.paymentIntents.confirm(intent.id, {
        payment_method: card.providerReference,
        return_url: `${deps.config.origins.tickets}/orders/${orderId}/confirmation`,
        use_stripe_sdk: true,
      });
    } catch (error) {
      const isAnswer = error instanceof Stripe.errors.StripeCardError || isUnexpectedState(error);
      if (!isAnswer) throw error;
      return deps.stripe.paymentIntents.retrieve(intent.id);
    }
  });
  await settlePaymentIntent(deps, truth);
  const decline = declineOf(truth);
  if (decline) {
    const { code, message } = presentDecline(decline.code);
    throw new ApiError(code, { message });
  }
  if (truth.status === 'canceled') throw new ApiError('order_closed');
  if (truth.status === 'requires_payment_method') throw new ApiError('payment_failed');
  return truth;
}

function customerOf({ customer }: Stripe.PaymentIntent): string | null {
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}
