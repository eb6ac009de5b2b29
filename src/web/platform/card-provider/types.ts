import type {
  Appearance,
  Stripe,
  StripeElements,
  StripeError,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js';

/** The provider's library, as its script provides it. */
export type Provider = Stripe;
/** The provider's form fields on a page. */
export type ProviderFields = StripeElements;
export type ProviderError = StripeError;
/** The colours and shapes of the provider's card form. */
export type ProviderAppearance = Appearance;
/** A wallet's button was pressed. It must be answered within a second. */
export type WalletClick = StripeExpressCheckoutElementClickEvent;
/** The buyer confirmed the payment in the wallet. */
export type WalletPayment = StripeExpressCheckoutElementConfirmEvent;
