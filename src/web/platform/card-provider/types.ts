import type {
  Appearance,
  Stripe,
  StripeElements,
  StripeError,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js';

/** The provider's library, as its script provides it. */
export type Provider = Stripe;
/** The provider's form fields on a page. */
export type ProviderFields = StripeElements;
export type ProviderError = StripeError;
/** The colors and shapes of the provider's card form. */
export type ProviderAppearance = Appearance;
/** The buyer confirmed the payment in the wallet. */
export type WalletPayment = StripeExpressCheckoutElementConfirmEvent;
