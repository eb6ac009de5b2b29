import type { Provider } from '#web/platform/card-provider/types.ts';

export type ProviderWord = 'paid' | 'failed' | 'unknown';

/** What the card provider says became of a payment. */
export async function askIntent(stripe: Provider, clientSecret: string): Promise<ProviderWord> {
  try {
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
    if (paymentIntent?.status === 'succeeded') return 'paid';
    return UNPAID.some((status) => status === paymentIntent?.status) ? 'failed' : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** A bank's check that nobody is answering any more is no payment; the same payment can be tried again. */
const UNPAID = ['requires_action', 'requires_confirmation', 'requires_payment_method', 'canceled'] as const;
