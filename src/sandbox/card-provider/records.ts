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
  payout: Stripe.Payout;
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
  behavior?: string;
  /** The payment method was charged or detached without being attached, so it may not be used again. */
  spent?: boolean;
  /** The cardholder authenticated this payment method for later off-session charges. */
  setUp?: boolean;
  /** How the intent was last confirmed, for a challenge that is answered later. */
  confirmation?: { usesScript: boolean; returnUrl: string | null };
  /** The challenge the intent waits for. */
  challenge?: string;
  /** The payout that a balance transaction is in. */
  payout?: string;
  /** The bank returns the payout. */
  isReturned?: boolean;
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

/** Fields that are empty at first, or always because the stand-in lacks their feature. */
export function nulls<Name extends string>(...names: Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}

/**
 * Tables of the card provider. `objects` contains the API's documents (`doc`) and internal data (`secret`: behavior of
 * a test card, never a card number). Every write increases `version`, so that a write based on an outdated read is
 * refused. `wake_ms` is the time of a scheduled change (a pending refund settles).
 */
export const cardProviderTables = [
  `create table if not exists sandbox.config (
     key text primary key,
     value jsonb not null
   )`,
  `create table if not exists sandbox.objects (
     id text primary key,
     seq bigint generated always as identity,
     object text not null,
     version integer not null default 1,
     doc jsonb not null,
     secret jsonb not null,
     wake_ms double precision
   )`,
  'create index if not exists objects_by_kind on sandbox.objects (object, seq desc)',
  `create index if not exists objects_by_customer on sandbox.objects (object, (doc->>'customer'))`,
  `create index if not exists objects_by_intent on sandbox.objects (object, (doc->>'payment_intent'))`,
  `create index if not exists objects_by_payout on sandbox.objects (object, (secret->>'payout'))`,
  'create index if not exists objects_to_wake on sandbox.objects (wake_ms) where wake_ms is not null',
  `create table if not exists sandbox.deliveries (
     id bigint generated always as identity primary key,
     event_id text not null,
     due_ms double precision not null,
     created_ms double precision not null,
     attempts integer not null default 0,
     leased_ms double precision,
     state text not null default 'pending',
     last_answer text
   )`,
  `create index if not exists deliveries_pending on sandbox.deliveries (due_ms) where state = 'pending'`,
  'create index if not exists deliveries_by_event on sandbox.deliveries (event_id)',
  `create table if not exists sandbox.idempotency (
     key text primary key,
     fingerprint text not null,
     request_id text not null,
     status integer not null,
     body jsonb not null,
     created_ms double precision not null
   )`,
] as const;
