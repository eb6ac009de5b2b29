import type { PAYOUT_ITEM_KINDS, PAYOUT_STATUSES } from '#contract/reports/payouts.ts';
import type { Money, ProviderMoney } from './provider-amounts.ts';

/** State of an intent or a setup. `created`: it waits for a card. */
export type ProviderStatus = 'created' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';

/** How a buyer recognizes the card that paid; `wallet` as the provider names it. */
export type PayingCard = { network: string; lastFour: string; wallet: string | null };

/** One attempt to charge a card. */
export type ProviderIntent = {
  id: string;
  status: ProviderStatus;
  /** The amount received if it succeeded, otherwise the amount asked for. */
  money: ProviderMoney;
  /** Lets the browser confirm the intent; null in events. */
  clientSecret: string | null;
  customerId: string | null;
  cardId: string | null;
  payingCard: PayingCard | null;
  /** Whether the card is saved for later once it has paid. */
  savesCard: boolean;
  /** The latest decline, while the intent waits for another card. Each declined charge has its own id. */
  decline: { code: string; charge: string } | null;
  metadata: Readonly<Record<string, string>>;
};

/** A paid intent, with what is needed to recognize and refund it. */
export type PaidIntent = Pick<ProviderIntent, 'id' | 'money' | 'metadata'> & {
  paidAt: Date;
  description: string;
  /** What went back to the card, in the provider's units. */
  refunded: number;
  /** The payer's address; null if the provider has none. */
  email: string | null;
};

/** A card as the provider stores it. */
export type ProviderCard = {
  id: string;
  /** null after it was detached from its customer. */
  customerId: string | null;
  createdAt: Date;
  /** Same number, same fingerprint; the card's id where the provider gives none. */
  fingerprint: string;
  network: string;
  funding: string;
  lastFour: string;
  expMonth: number;
  expYear: number;
  /** Whether its holder agreed, in the provider's form, that it is saved. */
  isSavingAgreed: boolean;
};

/** One attempt to save a card without a charge. */
export type ProviderSetup = {
  id: string;
  status: ProviderStatus;
  clientSecret: string | null;
  customerId: string | null;
  cardId: string | null;
  /** null when there is no card yet. */
  card: ProviderCard | null;
  metadata: Readonly<Record<string, string>>;
};

export type ProviderRefund = {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  money: ProviderMoney;
  /** Our refund; null for one made at the provider's dashboard. */
  refundId: string | null;
  /** Made by the operator's command for a payment that this database does not have. */
  isOfUnknownPayment: boolean;
};

export type ProviderDispute = {
  id: string;
  intentId: string;
  /** In `open` and `lost` the bank holds the money; an inquiry takes nothing. */
  status: 'inquiry' | 'inquiry_closed' | 'open' | 'won' | 'lost';
  money: ProviderMoney;
};

/** Money that the provider sends to the operator's bank account; negative: takes from it. */
export type ProviderPayout = {
  id: string;
  isLive: boolean;
  status: (typeof PAYOUT_STATUSES)[number];
  money: Money;
  /** Only of automatic payouts the provider tells what they consist of. */
  isAutomatic: boolean;
  /** Whether what it consists of can be listed. */
  isListed: boolean;
  createdAt: Date;
  /** The day on which it should reach the bank, `YYYY-MM-DD`. */
  arrivesOn: string;
  failureCode: string | null;
};

export type ProviderPayoutItem = {
  id: string;
  kind: (typeof PAYOUT_ITEM_KINDS)[number];
  /** What it adds to the payout, in its currency, before the fee; negative: what it takes. */
  amount: number;
  /** Deducted from the amount. */
  fee: number;
  currency: string;
  /** The same amount as the card holder paid or received it, if in another currency than the payout. */
  charged: Money | null;
  /** The intent that a charge, a refund or a dispute belongs to; null: none. */
  intentId: string | null;
  /** The provider's refund; null: not of one. */
  refundId: string | null;
  createdAt: Date;
};

/** What a webhook reports. The objects in it may be outdated: events arrive in any order. */
export type ProviderEvent = { id: string; type: string; isLive: boolean } & (
  | { kind: 'intent'; intent: ProviderIntent }
  | { kind: 'refund'; refund: ProviderRefund }
  | { kind: 'charge_refunded'; intentId: string }
  | { kind: 'dispute'; disputeId: string; intentId: string }
  | { kind: 'card_saved'; cardId: string; device: string | undefined }
  | { kind: 'card_changed' | 'card_detached'; cardId: string }
  | { kind: 'payout'; payoutId: string }
  | { kind: 'setup_declined'; setup: Pick<ProviderSetup, 'id' | 'metadata'> }
  | { kind: 'other' }
);

/** The card an intent is charged to as it is created. */
export type CardCharge = {
  cardId: string;
  /** Where the bank's question returns to; null if the customer is not present. */
  returnUrl: string | null;
};

export type IntentInput = {
  money: Money;
  description: string;
  metadata: Record<string, string>;
  /** The same key never creates a second intent. */
  idempotencyKey: string;
  customerId?: string | null;
  savesCard?: boolean;
  charge?: CardCharge;
};

/**
 * The card provider in our terms. Never call it inside a database transaction: a slow provider must not keep rows
 * locked. `find…` returns null for an object that the provider does not know. Every call but `tryTo…` throws
 * ApiError payment_unavailable if the provider does not answer.
 */
export type PaymentProvider = {
  publishableKey: string;
  /** Where browsers load the provider's script from. */
  scriptUrl: string;
  /** Whether no real money moves: shown on every page. */
  isTest: boolean;

  /** A decline is not an error: the returned intent reports it. */
  createIntent(input: IntentInput): Promise<ProviderIntent>;
  fetchIntent(id: string): Promise<ProviderIntent>;
  findIntent(id: string): Promise<ProviderIntent | null>;
  /** The newest intent of a customer, created since then, whose metadata has this value. */
  findCustomerIntent(
    customerId: string,
    named: { since: Date; key: string; value: string },
  ): Promise<ProviderIntent | null>;
  /** The intents created since an instant that are paid, newest first. */
  listPaidIntents(since: Date): Promise<PaidIntent[]>;
  findPaidIntent(id: string): Promise<PaidIntent | null>;
  /** Leaves an intent that is paid or being charged as it is. */
  updateIntent(
    id: string,
    change: { savesCard: boolean; customerId: string | null; metadata: Record<string, string> },
  ): Promise<ProviderIntent>;
  /** Charges a saved card; a decline is reported by the returned intent. */
  confirmIntent(id: string, charge: { cardId: string; returnUrl: string }): Promise<ProviderIntent>;
  /** Cancels an intent that can be canceled, and returns it as it then is. */
  cancelIntent(id: string): Promise<ProviderIntent>;
  /** As `cancelIntent`, ignoring every failure: reconciliation looks again. */
  tryToCancelIntent(id: string): Promise<void>;
  /** The card that paid an intent; null if it is not paid, or the provider does not tell in time. */
  findPayingCard(intent: ProviderIntent): Promise<PayingCard | null>;

  /** Repeated calls with one customer of ours create one customer of the provider's. Returns its id. */
  createCustomer(customerId: string): Promise<string>;
  deleteCustomer(id: string): Promise<void>;
  setDefaultCard(customerId: string, cardId: string | null): Promise<void>;
  findCard(id: string): Promise<ProviderCard | null>;
  detachCard(id: string): Promise<void>;
  createSetup(customerId: string, metadata: Record<string, string>): Promise<ProviderSetup>;
  findSetup(id: string): Promise<ProviderSetup | null>;
  /** Saves one of the provider's test cards, for the demo; browsers confirm other setups. */
  confirmSetup(id: string, cardId: string): Promise<void>;
  tryToCancelSetup(id: string): Promise<void>;

  /** null if the provider refuses the refund. */
  createRefund(input: {
    intentId: string;
    money: Money;
    metadata: Record<string, string>;
    idempotencyKey: string;
  }): Promise<ProviderRefund | null>;
  fetchRefund(id: string): Promise<ProviderRefund>;
  listRefunds(intentId: string): Promise<ProviderRefund[]>;
  findDispute(id: string): Promise<ProviderDispute | null>;

  /** The payouts created since an instant, newest first. */
  listPayouts(since: Date): Promise<ProviderPayout[]>;
  findPayout(id: string): Promise<ProviderPayout | null>;
  /** What an automatic payout consists of. */
  listPayoutItems(id: string): Promise<ProviderPayoutItem[]>;

  /**
   * Reads a webhook and verifies that the provider signed these very bytes just now.
   * @throws {ApiError} webhook_rejected, malformed_request
   */
  readEvent(body: string, headers: Headers, now: Date): Promise<ProviderEvent>;
};
