import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { type AfterCommit, nothingAfterCommit, runAfterCommit } from './after-commit.ts';
import { isOpen } from './payment-status.ts';
import type { ProviderIntent, ProviderStatus } from './provider/payment-provider.ts';
import { isSameMoney } from './provider/provider-amounts.ts';
import type { LockedPayment, Payment, PaymentSubject } from './subjects.ts';

type SubjectIntent = { subject: PaymentSubject; intent: ProviderIntent };

/** Applies what the provider reports about an intent, in its own transaction, and does what follows. */
export async function settleIntent(context: Context, { subject, intent }: SubjectIntent): Promise<void> {
  const withCard = await withPayingCard(context, { subject, intent });
  const after = await inTransaction(
    context.db,
    (tx) => applyIntent(tx, context, { subject, intent: withCard }),
    subject.isWorthRepeating,
  );
  await runAfterCommit(context, after);
}

/**
 * Asks the provider about a payment whose end is unknown, so that a lost webhook delays nothing.
 * @returns false if there was nothing to ask, or no answer
 */
export async function refreshPayment(
  context: Context,
  { subject, payment }: { subject: PaymentSubject; payment: Pick<Payment, 'status' | 'providerReference'> },
): Promise<boolean> {
  if (!isOpen(payment) || payment.providerReference === null) return false;
  try {
    const intent = await context.provider.fetchIntent(payment.providerReference);
    await settleIntent(context, { subject, intent });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'payment_unavailable') return false;
    throw error;
  }
}

/** Adds the card that paid, where the subject keeps it. It has to be asked for before the transaction. */
export async function withPayingCard(
  { provider }: Pick<Context, 'provider'>,
  { subject, intent }: SubjectIntent,
): Promise<ProviderIntent> {
  return subject.notesCard ? { ...intent, payingCard: await provider.findPayingCard(intent) } : intent;
}

/**
 * The only place that turns the provider's state of an intent into ours, for webhooks, polling and reconciliation.
 * States may arrive in any order and repeatedly: each takes effect once, and a payment that succeeded stays so.
 */
export async function applyIntent(
  tx: Database,
  context: Context,
  { subject, intent }: SubjectIntent,
): Promise<AfterCommit> {
  const after = nothingAfterCommit();
  const locked = await subject.lock(tx, context, intent);
  if (!locked) {
    context.log.error(`payment of no ${subject.name} of ours`, { intent: intent.id });
    return after;
  }
  const { payment } = locked;
  if (!isSameMoney(intent.money, payment) || !locked.isNamedIn(intent.metadata)) {
    const fields = { payment_id: payment.id, intent: intent.id };
    context.log.error(`payment does not match its ${subject.name}`, fields);
    return after;
  }
  if (payment.providerReference === null) await locked.write({ providerReference: intent.id });
  if (intent.status !== 'succeeded') {
    await applyUnpaidStatus(locked, { intent, unpaidStatus: intent.status, after });
    return after;
  }
  if (intent.payingCard) await locked.noteCard?.(intent.payingCard);
  if (payment.status === 'succeeded' || payment.status === 'disputed') return after;
  await locked.write({ status: 'succeeded', failureCode: null });
  after.paid = { intent, isConsentRequired: subject.canOthersPay };
  await locked.applySuccess(after);
  return after;
}

async function applyUnpaidStatus(
  locked: LockedPayment,
  input: { intent: ProviderIntent; unpaidStatus: Exclude<ProviderStatus, 'succeeded'>; after: AfterCommit },
): Promise<void> {
  const { intent, unpaidStatus, after } = input;
  const { payment } = locked;
  const { decline } = intent;
  const isCanceled = unpaidStatus === 'canceled';
  // The provider missed that it was to be canceled, and let another card be tried.
  if (payment.status === 'failed' && !isCanceled) after.intentsToCancel.push(intent.id);
  if (!isOpen(payment)) return;
  const isNewDecline = decline !== null && !payment.declinedCharges.includes(decline.charge);
  // The old decline of an intent that is being tried again.
  if (decline !== null && !isNewDecline && payment.failureCode === null) return;
  const isBlocked = unpaidStatus !== 'processing' && (await locked.isBlocked(isNewDecline ? decline : null));
  const status = isBlocked ? 'failed' : unpaidStatus;
  const failureCode = decline ? decline.code : isCanceled ? payment.failureCode : null;
  if (!isNewDecline && status === payment.status && failureCode === payment.failureCode) return;
  await locked.write({
    status,
    failureCode,
    ...(isNewDecline ? { declinedCharges: [...payment.declinedCharges, decline.charge] } : {}),
  });
  await locked.applyUnpaid({ status, decline, isNewDecline });
  if (isBlocked) after.intentsToCancel.push(intent.id);
}
