import { type Client, IntegrationError } from './client.ts';
import {
  confirmWithCard,
  confirmWithElements,
  createConfirmationToken,
  createPaymentMethod,
  handleNextAction,
  retrieveIntent,
} from './confirming.ts';
import { createElements } from './elements-group.ts';

const script = document.currentScript;
const providerOrigin = new URL(script instanceof HTMLScriptElement ? script.src : window.location.href)
  .origin;

/** The library's object for a publishable key, limited to card payments. */
function createStripe(key: unknown): object {
  if (typeof key !== 'string' || key === '') {
    throw new IntegrationError('Please call Stripe() with your publishable key. You used an empty string.');
  }
  if (!key.startsWith('pk_test_')) {
    throw new IntegrationError('This is a sandbox. It takes publishable test keys only.');
  }
  const client: Client = { origin: providerOrigin, key };
  return {
    elements: (options?: unknown) => createElements(client, options),
    confirmPayment: (options: unknown) => confirmWithElements(client, 'payment', options),
    confirmSetup: (options: unknown) => confirmWithElements(client, 'setup', options),
    confirmCardPayment: (secret: unknown, data?: unknown, options?: unknown) =>
      confirmWithCard(client, 'payment', secret, data, options),
    confirmCardSetup: (secret: unknown, data?: unknown, options?: unknown) =>
      confirmWithCard(client, 'setup', secret, data, options),
    handleNextAction: (options: unknown) => handleNextAction(client, options),
    handleCardAction: (clientSecret: unknown) => handleNextAction(client, { clientSecret }),
    createConfirmationToken: (options: unknown) => createConfirmationToken(options),
    createPaymentMethod: (options: unknown) => createPaymentMethod(options),
    retrievePaymentIntent: (secret: unknown) => retrieveIntent(client, 'payment', secret),
    retrieveSetupIntent: (secret: unknown) => retrieveIntent(client, 'setup', secret),
    createToken: async () => ({
      error: {
        type: 'invalid_request_error',
        message: 'The sandbox makes no tokens; use a confirmation token.',
      },
    }),
    paymentRequest: () => ({ canMakePayment: async () => null, on() {}, off() {}, show() {}, update() {} }),
    registerAppInfo() {},
    _registerWrapper() {},
  };
}

// Can be called as a function and with `new`; the loader reads `version`.
Object.defineProperty(window, 'Stripe', {
  configurable: true,
  writable: true,
  value: Object.assign(
    function Stripe(key: unknown) {
      return createStripe(key);
    },
    { version: 'endive' },
  ),
});
