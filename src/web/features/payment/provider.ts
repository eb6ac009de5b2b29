import type { Provider } from '#web/platform/card-provider/types.ts';

/** The provider's script is loaded only where a card is entered or paid with. */
export async function importProvider(): Promise<Provider> {
  const { loadProvider } = await import('#web/platform/card-provider/load-provider.ts');
  return loadProvider();
}

/** `bank`: the bank still waits for its customer, whose confirmation pays. */
export type ProviderStatus = 'paid' | 'failed' | 'bank' | 'unknown';

/** The payment's status at the card provider. */
export async function fetchIntentStatus(stripe: Provider, clientSecret: string): Promise<ProviderStatus> {
  try {
    const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
    if (paymentIntent?.status === 'succeeded') return 'paid';
    if (paymentIntent?.status === 'requires_action') return 'bank';
    return UNPAID.some((status) => status === paymentIntent?.status) ? 'failed' : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Nothing was charged, and nothing can be without another press; the same payment can be tried again. */
const UNPAID = ['requires_confirmation', 'requires_payment_method', 'canceled'] as const;
