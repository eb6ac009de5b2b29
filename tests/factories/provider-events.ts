import type Stripe from 'stripe';
import { paymentSubjects } from '#server/app.ts';
import type { Context } from '#server/context.ts';
import { toEvent } from '#server/payments/provider/stripe-events.ts';
import { applyEvent as applyProviderEvent } from '#server/payments/webhooks.ts';

/** Handles an event of the provider, as its webhook does once the signature was verified. */
export function applyEvent(context: Context, event: Stripe.Event): Promise<void> {
  return applyProviderEvent(context, { subjects: paymentSubjects, event: toEvent(event) });
}
