import type { Stripe } from 'stripe';

/** A 3-D Secure challenge: never shown by the API, only as a page of the card holder's (pretended) bank. */
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

/** What each kind of stored object looks like on the wire: the official SDK's types keep the stand-in honest. */
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

/** What the provider knows about an object and never shows. There is no card number and no security code in here. */
export type Secrets = {
  /** Name of the test card this payment method stands for. */
  behaviour?: string;
  /** The payment method was charged, or taken off its customer, without being kept: it may not be used again. */
  spent?: boolean;
  /** The card holder authenticated this payment method for later charges without them. */
  setUp?: boolean;
  /** How the intent was last confirmed; a challenge answered later needs it. */
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
