import type { ConfirmPaymentData, PaymentIntentResult } from '@stripe/stripe-js';
import { vi } from 'vitest';

type Intent = { status: string };
type ProviderError = { type: string; code?: string; decline_code?: string; message?: string };
type Outcome = { paymentIntent: Intent } | { setupIntent: Intent } | { error: ProviderError };

let provider = buildProvider();

/**
 * A stand-in for the parts of the provider's script that this app and its React wrapper call. It sends no requests.
 * The app loads the script once per page, so one stand-in serves a whole test file; each test sets its outcomes.
 */
export function openCardProvider() {
  provider = buildProvider();
  Reflect.set(
    window,
    'Stripe',
    Object.assign(() => stripe, { version: 'endive' }),
  );
  return provider;
}

export function closeCardProvider(): void {
  Reflect.deleteProperty(window, 'Stripe');
}

function buildProvider() {
  const outcomes: (Outcome | Error | Promise<never>)[] = [];
  return {
    outcomes,
    confirmed: [] as Pick<ConfirmPaymentData, 'return_url'>[],
    /** The intent as the provider returns it. */
    intent: { status: 'requires_payment_method' } as Intent,
    submitError: null as ProviderError | null,
    secrets: [] as string[],
    /** How often the form fetched updates of its intent. */
    fetchedUpdates: 0,
    next: (outcome: Outcome | Error | Promise<never>) => outcomes.push(outcome),
    /** The wallets that the express checkout element reports; null before it reports. */
    wallets: undefined as { googlePay: true } | undefined | null,
    /** How the page answered presses of a wallet's button. */
    answers: [] as ('opened' | 'rejected')[],
    failedInWallet: 0,
    sayWallets: (availablePaymentMethods: object) =>
      walletListeners.get('ready')?.({ availablePaymentMethods }),
    pressWallet: () => walletListeners.get('click')?.(clickEvent()),
    confirmInWallet: () => walletListeners.get('confirm')?.(confirmEvent()),
  };
}

const stripe = {
  elements: ({ clientSecret }: { clientSecret?: string }) => {
    if (clientSecret !== undefined) provider.secrets.push(clientSecret);
    return {
      create: (type: string) => (type === 'expressCheckout' ? buildWalletElement() : buildElement()),
      getElement: () => null,
      update: () => undefined,
      fetchUpdates: async () => {
        provider.fetchedUpdates += 1;
        return {};
      },
      submit: async () => (provider.submitError ? { error: provider.submitError } : {}),
    };
  },
  confirmPayment: async ({ confirmParams }: { confirmParams: { return_url: string } }) => {
    provider.confirmed.push(confirmParams);
    return (await nextOutcome()) as unknown as PaymentIntentResult;
  },
  confirmSetup: async ({
    clientSecret,
    confirmParams,
  }: {
    clientSecret: string;
    confirmParams: { return_url: string };
  }) => {
    provider.secrets.push(clientSecret);
    provider.confirmed.push(confirmParams);
    return nextOutcome();
  },
  handleNextAction: async ({ clientSecret }: { clientSecret: string }) => {
    provider.secrets.push(clientSecret);
    return nextOutcome();
  },
  retrievePaymentIntent: async () => ({ paymentIntent: provider.intent }),
  createToken: vi.fn(),
  createPaymentMethod: vi.fn(),
  confirmCardPayment: vi.fn(),
  registerAppInfo: vi.fn(),
  _registerWrapper: vi.fn(),
};

function nextOutcome(): Outcome | Promise<never> | undefined {
  const outcome = provider.outcomes.shift();
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

type Listener = (event?: object) => void;

let walletListeners = new Map<string, Listener>();

function clickEvent() {
  return {
    expressPaymentType: 'google_pay',
    resolve: () => provider.answers.push('opened'),
    reject: () => provider.answers.push('rejected'),
  };
}

function confirmEvent() {
  const paymentFailed = () => {
    provider.failedInWallet += 1;
  };
  return { expressPaymentType: 'google_pay', paymentFailed };
}

function buildWalletElement() {
  const { wallets } = provider;
  walletListeners = new Map();
  const ready = () => walletListeners.get('ready')?.({ availablePaymentMethods: wallets });
  return { ...buildElement(walletListeners), mount: () => wallets !== null && queueMicrotask(ready) };
}

function buildElement(listeners = new Map<string, Listener>()) {
  return {
    mount: () => queueMicrotask(() => listeners.get('ready')?.()),
    on: (event: string, listener: Listener) => listeners.set(event, listener),
    off: (event: string) => listeners.delete(event),
    update: () => undefined,
    unmount: () => undefined,
    destroy: () => undefined,
  };
}
