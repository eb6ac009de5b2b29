import { randomInt } from 'node:crypto';
import { and, eq, notInArray, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { formatMoney } from '#domain/money.ts';
import { createReference } from '#domain/reference.ts';
import { type AfterCommit, nothingAfterCommit, runAfterCommit } from '../card-provider/after-commit.ts';
import { declineOf, isOpen, MAX_DECLINES, statusOf } from '../card-provider/intent-state.ts';
import { isSameMoney } from '../card-provider/provider-amounts.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import { noteDeclined, noteFilled } from './auto-top-up.ts';
import { postEntry } from './post-entry.ts';
import { lockCard, lockLiveCard } from './queries.ts';

export type TopUpRow = typeof topUps.$inferSelect;

/** Takes over what the provider says about a top-up's payment, in a transaction of its own, and what follows from it. */
export async function settleTopUp(deps: Deps, intent: Stripe.PaymentIntent): Promise<void> {
  const followUp = await inTransaction(
    deps.db,
    (tx) => applyTopUpIntent(tx, deps, intent),
    isReceiptNumberTaken,
  );
  await runAfterCommit(deps, followUp);
}

/** A transaction's failure that another try gets right: it drew a receipt number that is taken. */
export function isReceiptNumberTaken(error: unknown): boolean {
  return violatedUniqueConstraint(error)?.includes('receipt_number') ?? false;
}

/**
 * Turns the provider's truth about a top-up's payment into ours: the one place that does. The value is on the card in
 * the transaction that learns of the success, once, however often and in whatever order it is told.
 * @param tx a transaction; it locks the top-up, then the card
 */
export async function applyTopUpIntent(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
): Promise<AfterCommit> {
  const after = nothingAfterCommit();
  const topUp = await lockTopUp(tx, intent);
  if (!topUp) {
    deps.log.error('payment of no top-up of ours', { intent: intent.id });
    return after;
  }
  if (!isOurs(intent, topUp)) {
    deps.log.error('payment does not match its top-up', { top_up_id: topUp.id, intent: intent.id });
    return after;
  }
  if (topUp.providerReference === null) {
    await tx.update(topUps).set({ providerReference: intent.id }).where(eq(topUps.id, topUp.id));
  }
  if (intent.status === 'succeeded') await applySuccess(tx, deps, intent, topUp, after);
  else await applyUnpaidState(tx, deps, intent, topUp, after);
  return after;
}

/** By our id in the metadata too: news may come before we kept the reference. */
async function lockTopUp(tx: Database, intent: Stripe.PaymentIntent): Promise<TopUpRow | null> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(
      sql`${topUps.providerReference} = ${intent.id}
        or (${topUps.providerReference} is null and ${topUps.id} = ${intent.metadata.top_up_id ?? ''})`,
    )
    .for('no key update');
  return topUp ?? null;
}

function isOurs(intent: Stripe.PaymentIntent, topUp: TopUpRow): boolean {
  const amount = intent.status === 'succeeded' ? intent.amount_received : intent.amount;
  return (
    isSameMoney({ amount, currency: intent.currency }, topUp) &&
    intent.metadata.top_up_id === topUp.id &&
    intent.metadata.trip_card_id === topUp.tripCardId
  );
}

async function applySuccess(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  topUp: TopUpRow,
  after: AfterCommit,
): Promise<void> {
  const now = deps.clock.now();
  const receiptNumber = createReference((below) => randomInt(below));
  const [succeeded] = await tx
    .update(topUps)
    .set({ status: 'succeeded', failureCode: null, receiptNumber, completedAt: now, updatedAt: now })
    .where(and(eq(topUps.id, topUp.id), notInArray(topUps.status, ['succeeded', 'disputed'])))
    .returning({ id: topUps.id });
  if (!succeeded) return;
  after.paid = intent;
  const card = await lockLiveCard(tx, topUp.tripCardId);
  await noteFilled(tx, deps, card.id);
  await postEntry(tx, deps, card.id, {
    kind: 'top_up',
    amount: topUp.amount,
    topUpId: topUp.id,
    description: topUp.trigger === 'auto' ? 'Automatic top-up' : 'Top-up',
    idempotencyKey: `top_up:${topUp.id}`,
    actor: topUp.trigger === 'auto' ? 'system' : 'customer',
    byCustomerId: topUp.byCustomerId,
  });
  const buyer = await findCustomer(tx, topUp.byCustomerId);
  if (!buyer) return;
  const { balance } = await lockCard(tx, card.id);
  await queueAccountMail(tx, deps, {
    to: buyer.email,
    kind: 'trip-card-topped-up',
    facts: {
      name: card.name,
      lastFour: card.number.slice(-4),
      amount: formatMoney(topUp.amount, topUp.currency),
      balance: formatMoney(balance, topUp.currency),
      receiptNumber,
    },
  });
  after.hasMail = true;
}

async function applyUnpaidState(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  topUp: TopUpRow,
  after: AfterCommit,
): Promise<void> {
  // Given up, and yet tried again: the provider did not hear that it was to be cancelled.
  if (topUp.status === 'failed' && intent.status !== 'canceled') after.intentsToCancel.push(intent.id);
  if (!isOpen(topUp)) return;
  const decline = declineOf(intent);
  const isNewDecline = decline !== null && !topUp.declinedCharges.includes(decline.charge);
  if (decline !== null && !isNewDecline && topUp.failureCode === null) return;
  const declinedCharges = isNewDecline ? [...topUp.declinedCharges, decline.charge] : topUp.declinedCharges;
  // A saved card is named for this one try; a form takes another card, a few times.
  const isOver = isNewDecline && (topUp.paymentCardId !== null || declinedCharges.length >= MAX_DECLINES);
  const status = isOver ? 'failed' : statusOf(intent.status);
  const failureCode = decline ? decline.code : intent.status === 'canceled' ? topUp.failureCode : null;
  if (!isNewDecline && status === topUp.status && failureCode === topUp.failureCode) return;
  await tx
    .update(topUps)
    .set({ status, failureCode, declinedCharges, updatedAt: deps.clock.now() })
    .where(eq(topUps.id, topUp.id));
  if (!isOver) return;
  after.intentsToCancel.push(intent.id);
  if (topUp.trigger !== 'auto') return;
  await noteDeclined(tx, deps, await lockLiveCard(tx, topUp.tripCardId), decline.code);
}
