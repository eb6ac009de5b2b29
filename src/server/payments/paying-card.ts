import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';

/** What a buyer knows their card by. */
export type PayingCard = { network: string; lastFour: string; wallet: string | null };

/** Nobody's tickets wait longer than this for the name of a card. */
const PATIENCE_MS = 3000;

/**
 * The card an order's intent was paid with; null while it is not paid, and when the provider does not say: a payment
 * counts without.
 */
export async function findPayingCard(
  { stripe }: Pick<Deps, 'stripe'>,
  { status, metadata, payment_method: given }: Stripe.PaymentIntent,
): Promise<PayingCard | null> {
  if (status !== 'succeeded' || metadata.order_id === undefined || given === null) return null;
  try {
    const { card } =
      typeof given === 'string'
        ? await stripe.paymentMethods.retrieve(given, {}, { timeout: PATIENCE_MS, maxNetworkRetries: 0 })
        : given;
    if (!card) return null;
    const { display_brand, brand, last4: lastFour, wallet } = card;
    return { network: display_brand ?? brand, lastFour, wallet: wallet?.type ?? null };
  } catch {
    return null;
  }
}
