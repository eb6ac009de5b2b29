import type { Appearance, Stripe } from '@stripe/stripe-js';

/** The provider's library, as its script gives it to a page. */
export type Provider = Stripe;
/** How the provider's card form is dressed. */
export type ProviderAppearance = Appearance;
