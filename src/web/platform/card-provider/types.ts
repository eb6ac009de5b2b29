import type {
  Appearance,
  Stripe,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js';

/** The provider's library, as its script gives it to a page. */
export type Provider = Stripe;
/** How the provider's card form is dressed. */
export type ProviderAppearance = Appearance;
/** A wallet's button was pressed: whether the wallet may open is to be said within a second. */
export type WalletClick = StripeExpressCheckoutElementClickEvent;
/** The buyer agreed in the wallet to pay. */
export type WalletPayment = StripeExpressCheckoutElementConfirmEvent;
