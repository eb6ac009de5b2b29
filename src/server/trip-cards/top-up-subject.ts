import { randomInt } from 'node:crypto';
import { and, eq, like, ne, sql } from 'drizzle-orm';
import { formatMoney } from '#domain/format/money.ts';
import { createReference } from '#domain/orders/reference.ts';
import { formatCardAmount } from '#domain/trip-cards/card-amounts.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps, topUps, tripCardDebts, tripCardEntries } from '../database/schema/trip-cards.ts';
import { violatedUniqueConstraint } from '../database/transactions.ts';
import type { AfterCommit } from '../payments/after-commit.ts';
import { MAX_DECLINES } from '../payments/payment-status.ts';
import type { ProviderDispute, ProviderIntent } from '../payments/provider/payment-provider.ts';
import { fromProviderMoney } from '../payments/provider/provider-amounts.ts';
import type { LockedPayment, PaymentSubject } from '../payments/subjects.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { addTrips } from './add-trips.ts';
import { recordDecline, resetFailures } from './auto-top-up.ts';
import { queueCardMail } from './card-mails.ts';
import { postEntry } from './post-entry.ts';
import { availableOn, lockCard, lockLiveCard, type TopUpRow } from './queries.ts';

/** Top-ups of trip cards. The value is on the card in the transaction that learns of the success. */
export const topUpSubject: PaymentSubject = {
  name: 'top-up',
  idKey: 'top_up_id',
  canOthersPay: false,
  notesCard: false,
  lock: lockTopUp,
  isWorthRepeating: (error) => violatedUniqueConstraint(error)?.includes('receipt_number') ?? false,
  applyDispute: applyTopUpDispute,
};

/**
 * Purchases of passes, which are stored as top-ups. Their metadata has a separate key, so that a process of an earlier
 * release leaves them to this one.
 */
export const passSubject: PaymentSubject = { ...topUpSubject, name: 'pass', idKey: 'pass_purchase_id' };

/** The metadata of an intent in which the top-up has its id. */
export function metadataKey({ pass }: Pick<TopUpRow, 'pass'>): string {
  return (pass ? passSubject : topUpSubject).idKey;
}

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
      metadata[metadataKey(topUp)] === topUp.id && metadata.trip_card_id === topUp.tripCardId,
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
  return metadata[topUpSubject.idKey] ?? metadata[passSubject.idKey] ?? '';
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
    description: isAutomatic ? 'Automatic top-up' : 'Top-up',
    idempotencyKey: `top_up:${topUp.id}`,
    actor: isAutomatic ? 'system' : 'customer',
    byCustomerId: topUp.byCustomerId,
  });
  const { balance } = await lockCard(tx, card.id);
  const { language } = await loadWebSettings({ db: tx });
  const mail = await queueCardMail(tx, context, {
    card,
    customerId: topUp.byCustomerId,
    kind: 'trip-card-topped-up',
    facts: {
      amount: formatMoney(topUp.amount, topUp.currency, language),
      balance: formatMoney(balance, topUp.currency, language),
      receiptNumber,
    },
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
    const facts = { top_up_id: topUp.id, status: topUp.status, dispute_status: dispute.status };
    context.log.warn('top-up disputed, nothing to do', facts);
  }
  return true;
}

type Disputed = { topUp: TopUpRow; dispute: ProviderDispute };

/** The end of one dispute does not return what another took. */
function isTakenFor({ status, disputeId }: TopUpRow, { id }: ProviderDispute): boolean {
  return status === 'disputed' && (disputeId === null || disputeId === id);
}

async function takeValue(tx: Database, context: Context, { topUp, dispute }: Disputed): Promise<void> {
  const now = context.clock.now();
  const card = await lockLiveCard(tx, topUp.tripCardId);
  // Otherwise the payment card would be charged again for what its holder disputes.
  await tx
    .update(autoTopUps)
    .set({ state: 'paused', tryAt: null, updatedAt: now })
    .where(
      and(
        eq(autoTopUps.tripCardId, card.id),
        eq(autoTopUps.customerId, topUp.byCustomerId),
        ne(autoTopUps.state, 'needs_card'),
      ),
    );
  const disputed = Math.min(fromProviderMoney(dispute.money).amount, topUp.amount);
  // Of a pass, the trips that were bought with the disputed part.
  const amount = topUp.pass ? Math.ceil((topUp.pass.trips * disputed) / topUp.amount) : disputed;
  const taken = Math.min(availableOn(card), amount);
  const owed = amount - taken;
  if (taken > 0) {
    await postEntry(tx, context, {
      tripCardId: card.id,
      kind: 'adjustment',
      amount: -taken,
      topUpId: topUp.id,
      description: 'Top-up disputed with the bank',
      idempotencyKey: keyAfter(await listMoves(tx, topUp), dispute),
      actor: 'system',
    });
  }
  if (owed > 0) {
    await tx.insert(tripCardDebts).values({
      id: newId('dbt'),
      topUpId: topUp.id,
      tripCardId: card.id,
      reason: 'disputed',
      amount: owed,
      insertedAt: now,
      updatedAt: now,
    });
  }
  await tx
    .update(topUps)
    .set({ status: 'disputed', disputeId: dispute.id, updatedAt: now })
    .where(eq(topUps.id, topUp.id));
  context.log.error('top-up disputed', {
    top_up_id: topUp.id,
    trip_card_id: card.id,
    dispute_status: dispute.status,
    taken,
    owed,
  });
  const { language } = await loadWebSettings({ db: tx });
  const format = (value: number) => formatCardAmount(value, card, language);
  const facts = { amount: format(amount), taken: format(taken), owed: owed > 0 ? format(owed) : null };
  await queueCardMail(tx, context, { card, kind: 'trip-card-disputed', facts });
}

/** Returns all that was taken for it, at once and from later top-ups. */
async function returnValue(tx: Database, context: Context, { topUp, dispute }: Disputed): Promise<void> {
  const card = await lockLiveCard(tx, topUp.tripCardId);
  const moved = await listMoves(tx, topUp);
  const [debt] = await tx
    .delete(tripCardDebts)
    .where(eq(tripCardDebts.topUpId, topUp.id))
    .returning({ settled: tripCardDebts.settled });
  const amount = moved.reduce((sum, move) => sum - move.amount, debt?.settled ?? 0);
  if (amount > 0) {
    await postEntry(tx, context, {
      tripCardId: card.id,
      kind: 'adjustment',
      amount,
      topUpId: topUp.id,
      description: 'Top-up no longer disputed',
      idempotencyKey: keyAfter(moved, dispute),
      actor: 'system',
    });
  }
  await tx
    .update(topUps)
    .set({ status: 'succeeded', disputeId: null, updatedAt: context.clock.now() })
    .where(eq(topUps.id, topUp.id));
  context.log.warn('top-up no longer disputed', { top_up_id: topUp.id, trip_card_id: card.id, amount });
}

/** What disputes took from the card at once, and what they returned, so far. */
async function listMoves(tx: Database, { id }: TopUpRow): Promise<{ amount: number }[]> {
  return tx
    .select({ amount: tripCardEntries.amount })
    .from(tripCardEntries)
    .where(and(eq(tripCardEntries.topUpId, id), like(tripCardEntries.idempotencyKey, 'dispute:%')));
}

/** A dispute may take, return and take again: each is a separate ledger entry. */
function keyAfter(moves: readonly unknown[], { id }: ProviderDispute): string {
  return `dispute:${id}:${moves.length}`;
}
