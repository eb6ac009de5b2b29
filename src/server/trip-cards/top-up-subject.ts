import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { createReference } from '#domain/orders/reference.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { violatedUniqueConstraint } from '../database/transactions.ts';
import type { AfterCommit } from '../payments/after-commit.ts';
import { MAX_DECLINES } from '../payments/payment-status.ts';
import type { ProviderDispute, ProviderIntent } from '../payments/provider/payment-provider.ts';
import { fromProviderMoney } from '../payments/provider/provider-amounts.ts';
import type { LockedPayment, PaymentSubject } from '../payments/subjects.ts';
import { addTrips } from './add-trips.ts';
import { recordDecline, resetFailures } from './auto-top-up.ts';
import { queueCardMail } from './card-mails.ts';
import { returnDisputedValue, takeDisputedValue } from './disputed-value.ts';
import { postEntry } from './post-entry.ts';
import { lockCard, lockLiveCard, type TopUpRow } from './queries.ts';

/** Top-ups of trip cards, and purchases of passes. The value is on the card in the transaction that learns of the success. */
export const topUpSubject: PaymentSubject = {
  name: 'top-up',
  idKey: 'top_up_id',
  canOthersPay: false,
  notesCard: false,
  lock: lockTopUp,
  isWorthRepeating: (error) => violatedUniqueConstraint(error)?.includes('receipt_number') ?? false,
  applyDispute: applyTopUpDispute,
};

/** Also finds the top-up by our id in the metadata: the event may come before the reference was stored. */
async function lockTopUp(
  tx: Database,
  context: Context,
  intent: ProviderIntent,
): Promise<LockedPayment | null> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(
      sql`${topUps.providerReference} = ${intent.id}
        or (${topUps.providerReference} is null and ${topUps.id} = ${findTopUpId(intent)})`,
    )
    .for('no key update');
  if (!topUp) return null;
  const receiptNumber = createReference((below) => randomInt(below));
  return {
    payment: topUp,
    isNamedIn: (metadata) =>
      metadata[topUpSubject.idKey] === topUp.id && metadata.trip_card_id === topUp.tripCardId,
    async write(change) {
      const now = context.clock.now();
      const receipt = change.status === 'succeeded' ? { receiptNumber, completedAt: now } : {};
      await tx
        .update(topUps)
        .set({ ...change, ...receipt, updatedAt: now })
        .where(eq(topUps.id, topUp.id));
    },
    // A saved card is charged once; in the form another card can be tried, a few times.
    isBlocked: async (newDecline) =>
      newDecline !== null &&
      (topUp.paymentCardId !== null || topUp.declinedCharges.length + 1 >= MAX_DECLINES),
    applySuccess: (after) => applySuccess(tx, context, { topUp, receiptNumber, after }),
    async applyUnpaid({ status, decline }) {
      if (status !== 'failed' || decline === null || topUp.trigger !== 'auto') return;
      const card = await lockLiveCard(tx, topUp.tripCardId);
      await recordDecline(tx, context, { card, code: decline.code });
    },
  };
}

function findTopUpId({ metadata }: ProviderIntent): string {
  return metadata[topUpSubject.idKey] ?? '';
}

type PaidTopUp = { topUp: TopUpRow; receiptNumber: string; after: AfterCommit };

async function applySuccess(tx: Database, context: Context, paid: PaidTopUp): Promise<void> {
  const { topUp, receiptNumber, after } = paid;
  const card = await lockLiveCard(tx, topUp.tripCardId);
  if (topUp.pass) {
    after.hasMail ||= await addTrips(tx, context, { card, topUp, pass: topUp.pass, receiptNumber });
    return;
  }
  await resetFailures(tx, context, card.id);
  const isAutomatic = topUp.trigger === 'auto';
  await postEntry(tx, context, {
    tripCardId: card.id,
    kind: 'top_up',
    amount: topUp.amount,
    topUpId: topUp.id,
    cause: { code: isAutomatic ? 'auto_top_up' : 'top_up' },
    idempotencyKey: `top_up:${topUp.id}`,
    actor: isAutomatic ? 'system' : 'customer',
    byCustomerId: topUp.byCustomerId,
  });
  const { balance } = await lockCard(tx, card.id);
  const mail = await queueCardMail(tx, context, {
    card,
    customerId: topUp.byCustomerId,
    kind: 'trip-card-topped-up',
    data: { amount: topUp.amount, balance, receiptNumber },
  });
  after.hasMail ||= mail !== null;
}

/**
 * Takes the value off the card while the bank holds the money, and puts it back when the dispute is won. What was
 * spent already is owed, and paid by later top-ups. Repeating it has no further effect.
 * @param tx a transaction; it locks the top-up, then the card
 * @returns false if no top-up was paid with it
 */
export async function applyTopUpDispute(
  tx: Database,
  context: Context,
  dispute: ProviderDispute,
): Promise<boolean> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(eq(topUps.providerReference, dispute.intentId))
    .for('no key update');
  if (!topUp) return false;
  const isDisputed = dispute.status === 'open' || dispute.status === 'lost';
  if (isDisputed && topUp.status === 'succeeded') await takeValue(tx, context, { topUp, dispute });
  else if (!isDisputed && isTakenFor(topUp, dispute)) await returnValue(tx, context, { topUp, dispute });
  else {
    const fields = { top_up_id: topUp.id, status: topUp.status, dispute_status: dispute.status };
    context.log.warn('top-up disputed, nothing to do', fields);
  }
  return true;
}

type Disputed = { topUp: TopUpRow; dispute: ProviderDispute };

/** The end of one dispute does not return what another took. */
function isTakenFor({ status, disputeId }: TopUpRow, { id }: ProviderDispute): boolean {
  return status === 'disputed' && (disputeId === null || disputeId === id);
}

async function takeValue(tx: Database, context: Context, { topUp, dispute }: Disputed): Promise<void> {
  const disputed = Math.min(fromProviderMoney(dispute.money).amount, topUp.amount);
  await takeDisputedValue(tx, context, {
    value: { source: { topUpId: topUp.id }, dispute },
    cardId: topUp.tripCardId,
    // Of a pass, the trips that were bought with the disputed part.
    amount: topUp.pass ? Math.ceil((topUp.pass.trips * disputed) / topUp.amount) : disputed,
    payerId: topUp.byCustomerId,
  });
  await tx
    .update(topUps)
    .set({
      ...{ status: 'disputed' as const, disputeId: dispute.id, disputedAmount: disputed },
      updatedAt: context.clock.now(),
    })
    .where(eq(topUps.id, topUp.id));
}

async function returnValue(tx: Database, context: Context, { topUp, dispute }: Disputed): Promise<void> {
  const value = { source: { topUpId: topUp.id }, dispute };
  await returnDisputedValue(tx, context, { value, cardId: topUp.tripCardId });
  await tx
    .update(topUps)
    .set({ status: 'succeeded', disputeId: null, disputedAmount: null, updatedAt: context.clock.now() })
    .where(eq(topUps.id, topUp.id));
}
