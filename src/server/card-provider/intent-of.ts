import type Stripe from 'stripe';

/** The id of the PaymentIntent that a charge or a dispute is of; empty for one of none. */
export function intentOf({
  payment_intent: intent,
}: Pick<Stripe.Charge | Stripe.Dispute, 'payment_intent'>): string {
  return (typeof intent === 'string' ? intent : intent?.id) ?? '';
}
