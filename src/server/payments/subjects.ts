import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { RefundRow } from '../database/schema/sales.ts';
import type { AfterCommit } from './after-commit.ts';
import type {
  PayingCard,
  ProviderDispute,
  ProviderEvent,
  ProviderIntent,
  ProviderStatus,
} from './provider/payment-provider.ts';

/** What payments of every subject have in common. */
export type Payment = {
  id: string;
  amount: number;
  currency: string;
  status: ProviderStatus | 'failed' | 'disputed';
  providerReference: string | null;
  /** Why the latest attempt was declined; the payment stays open for another card. */
  failureCode: string | null;
  /** Each declined charge once, however often it is reported. */
  declinedCharges: string[];
};
export type PaymentChange = Partial<
  Pick<Payment, 'providerReference' | 'failureCode' | 'declinedCharges'>
> & {
  status?: ProviderStatus | 'failed';
};

type Decline = NonNullable<ProviderIntent['decline']>;

/** The new state of an unpaid payment. */
export type UnpaidState = {
  status: Exclude<ProviderStatus, 'succeeded'> | 'failed';
  /** The latest decline; `isNewDecline` the first time it is reported. */
  decline: Decline | null;
  isNewDecline: boolean;
};

/** A payment whose rows, its subject's first, are locked by the transaction. */
export type LockedPayment = {
  payment: Payment;
  /** Whether the metadata of the intent names what the payment is for. */
  isNamedIn(metadata: ProviderIntent['metadata']): boolean;
  write(change: PaymentChange): Promise<void>;
  /** Keeps the card that paid. It may become known after the success. */
  noteCard?(card: PayingCard): Promise<void>;
  /** Whether the payment takes no further card. `newDecline` is not written yet. */
  isBlocked(newDecline: Decline | null): Promise<boolean>;
  /** Runs once per payment, in the transaction that writes the success. */
  applySuccess(after: AfterCommit): Promise<void>;
  /** Runs after each change that leaves the payment unpaid. */
  applyUnpaid(state: UnpaidState): Promise<void>;
};

/** A kind of thing that is paid by card. The feature that owns it registers it (src/server/app.ts). */
export type PaymentSubject = {
  /** As log lines name it. */
  name: string;
  /** The metadata of an intent in which this subject's payments have their id. */
  idKey: string;
  /** Whether someone other than the customer of the intent may pay, so that saving the card needs their consent. */
  canOthersPay: boolean;
  /** Whether the card that paid is kept with the payment (`noteCard`). */
  notesCard: boolean;
  lock(tx: Database, context: Context, intent: ProviderIntent): Promise<LockedPayment | null>;
  /** Whether another attempt may succeed where the transaction failed with this error. */
  isWorthRepeating(error: unknown): boolean;
  /**
   * Applies the current state of a dispute; must have no further effect when repeated.
   * @returns false if the dispute is not of this subject
   */
  applyDispute(tx: Database, context: Context, dispute: ProviderDispute): Promise<boolean>;
};

/** A refund and what it belongs to, locked. */
export type LockedRefund = {
  refund: RefundRow;
  /** Takes over the written change. `isGivenUp`: the bank refused the money for the last time. */
  applyChange(isGivenUp: boolean): Promise<void>;
};
export type RefundSubject = {
  lock(tx: Database, context: Context, refundId: string): Promise<LockedRefund | null>;
};

/** Runs in the transaction that remembers the event, and returns what to do after its commit. */
export type EventWork = (tx: Database) => Promise<() => Promise<void>>;
export type EventSubject = {
  /** Asks the provider for what the event needs, outside of a transaction; null if the event concerns others. */
  prepare(context: Context, event: ProviderEvent): Promise<EventWork | null>;
  isWorthRepeating(error: unknown): boolean;
};

export type PaymentSubjects = {
  payments: readonly [PaymentSubject, ...PaymentSubject[]];
  refunds: RefundSubject;
  savedCards: EventSubject;
};

/** The subject an intent pays for; the first if its metadata names none. */
export function findSubject(
  { payments }: Pick<PaymentSubjects, 'payments'>,
  { metadata }: ProviderIntent,
): PaymentSubject {
  return payments.find(({ idKey }) => metadata[idKey] !== undefined) ?? payments[0];
}
