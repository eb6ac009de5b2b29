import type { Stripe } from 'stripe';

/** A 3-D Secure challenge: not part of the API, only shown as a page of the simulated bank. */
export type Challenge = {
  id: string;
  object: 'challenge';
  created: number;
  intent: string;
  state: 'open' | 'completed' | 'failed';
};

export type Dispute = Omit<Stripe.Dispute, 'evidence'> & {
  evidence: Record<string, string | object | null>;
};

export type CustomerDoc = Stripe.Customer | Stripe.DeletedCustomer;

/** The wire format of each kind of stored object, typed by the official SDK. */
export type Kinds = {
  customer: CustomerDoc;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  setup_attempt: Stripe.SetupAttempt;
  confirmation_token: Stripe.ConfirmationToken;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Dispute;
  balance_transaction: Stripe.BalanceTransaction;
  challenge: Challenge;
  event: EventDoc;
};

export type Kind = keyof Kinds;
export type IntentKind = 'payment_intent' | 'setup_intent';

export type EventDoc = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

/** Internal data of an object that the API never returns. Contains no card numbers or security codes. */
export type Secrets = {
  /** Name of the test card behind this payment method. */
  behaviour?: string;
  /** The payment method was charged or detached without being attached, so it may not be used again. */
  spent?: boolean;
  /** The cardholder authenticated this payment method for later off-session charges. */
  setUp?: boolean;
  /** How the intent was last confirmed, for a challenge that is answered later. */
  confirmation?: { usesScript: boolean; returnUrl: string | null };
  /** The challenge the intent waits for. */
  challenge?: string;
};

export type Stored<K extends Kind> = {
  id: string;
  object: K;
  /** 0 until it is stored. */
  version: number;
  doc: Kinds[K];
  secret: Secrets;
  wakeAt: number | null;
};

export const apiVersion = '2026-10-28.endive';
