import { and, eq, like, ne } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps, tripCardDebts, tripCardEntries } from '../database/schema/trip-cards.ts';
import type { ProviderDispute } from '../payments/provider/payment-provider.ts';
import { queueCardMail } from './card-mails.ts';
import { postEntry } from './post-entry.ts';
import { availableOn, lockLiveCard, type TripCardRow } from './queries.ts';

/** What came on a card by a payment that is disputed: a top-up, or the refund of an order. */
export type DisputedValue = {
  source: { topUpId: string } | { refundId: string; orderId: string };
  dispute: Pick<ProviderDispute, 'id' | 'status'>;
};

/**
 * Takes value off a card while the bank holds the money. What was spent already becomes a debt, which later value pays.
 * @param input amount: in the card's unit; payerId: the customer whose automatic top-ups of the card are paused
 */
export async function takeDisputedValue(
  tx: Database,
  context: Context,
  {
    value,
    cardId,
    amount,
    payerId,
  }: { value: DisputedValue; cardId: string; amount: number; payerId: string | null },
): Promise<void> {
  const now = context.clock.now();
  const card = await lockLiveCard(tx, cardId);
  if (payerId !== null) await pauseAutoTopUps(tx, { card, payerId, now });
  const taken = Math.min(availableOn(card), amount);
  const owed = amount - taken;
  if (taken > 0) await post(tx, context, { value, card, amount: -taken });
  if (owed > 0) {
    const { topUpId, refundId } = { topUpId: null, refundId: null, ...value.source };
    await tx.insert(tripCardDebts).values({
      id: newId('dbt'),
      topUpId,
      refundId,
      tripCardId: card.id,
      reason: 'disputed',
      amount: owed,
      insertedAt: now,
      updatedAt: now,
    });
  }
  const { source, dispute } = value;
  context.log.error('topUpId' in source ? 'top-up disputed' : 'refund disputed', {
    ...('topUpId' in source ? { top_up_id: source.topUpId } : { refund_id: source.refundId }),
    trip_card_id: card.id,
    dispute_status: dispute.status,
    taken,
    owed,
  });
  await queueCardMail(tx, context, {
    card,
    kind: 'trip-card-disputed',
    data: { amount, taken, owed, source: 'topUpId' in source ? 'top_up' : 'refund' },
  });
}

/** Returns all that was taken for it, at once and from later value. */
export async function returnDisputedValue(
  tx: Database,
  context: Context,
  { value, cardId }: { value: DisputedValue; cardId: string },
): Promise<void> {
  const card = await lockLiveCard(tx, cardId);
  const moved = await listMoves(tx, value);
  const [debt] = await tx
    .delete(tripCardDebts)
    .where(isDebtOf(value))
    .returning({ settled: tripCardDebts.settled });
  const amount = moved.reduce((sum, move) => sum - move.amount, debt?.settled ?? 0);
  if (amount > 0) await post(tx, context, { value, card, amount });
  const { source } = value;
  context.log.warn(`${'topUpId' in source ? 'top-up' : 'refund'} no longer disputed`, {
    ...('topUpId' in source ? { top_up_id: source.topUpId } : { refund_id: source.refundId }),
    trip_card_id: card.id,
    amount,
  });
}

/** The id of the dispute that has taken the value: `unknown` if all of it is owed; null if none has. */
export async function findTakingDispute(tx: Database, value: DisputedValue): Promise<string | null> {
  const moved = await listMoves(tx, value);
  const [debt] = await tx.select({ id: tripCardDebts.id }).from(tripCardDebts).where(isDebtOf(value));
  const isTaken = moved.reduce((sum, { amount }) => sum + amount, 0) < 0;
  if (!isTaken) return debt ? 'unknown' : null;
  return moved.at(-1)?.key.split(':')[1] ?? null;
}

/** Otherwise the payment card would be charged again for what its holder disputes. */
async function pauseAutoTopUps(
  tx: Database,
  { card, payerId, now }: { card: TripCardRow; payerId: string; now: Date },
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ state: 'paused', tryAt: null, updatedAt: now })
    .where(
      and(
        eq(autoTopUps.tripCardId, card.id),
        eq(autoTopUps.customerId, payerId),
        ne(autoTopUps.state, 'needs_card'),
      ),
    );
}

async function post(
  tx: Database,
  context: Context,
  { value, card, amount }: { value: DisputedValue; card: TripCardRow; amount: number },
): Promise<void> {
  const { source } = value;
  await postEntry(tx, context, {
    tripCardId: card.id,
    kind: 'adjustment',
    amount,
    actor: 'system',
    ...('topUpId' in source ? { topUpId: source.topUpId } : { orderId: source.orderId }),
    cause: {
      code: amount < 0 ? 'disputed' : 'dispute_ended',
      source: 'topUpId' in source ? 'top_up' : 'refund',
    },
    idempotencyKey: keyOf(value, (await listMoves(tx, value)).length),
  });
}

/** A dispute may take, return and take again: each is a separate ledger entry. */
function keyOf({ source, dispute }: DisputedValue, count: number): string {
  return `dispute:${dispute.id}:${'topUpId' in source ? '' : `${source.refundId}:`}${count}`;
}

/** What disputes took from the card at once, and what they returned, so far, oldest first. */
async function listMoves(
  tx: Database,
  { source }: DisputedValue,
): Promise<{ amount: number; key: string }[]> {
  return tx
    .select({ amount: tripCardEntries.amount, key: tripCardEntries.idempotencyKey })
    .from(tripCardEntries)
    .where(
      'topUpId' in source
        ? and(eq(tripCardEntries.topUpId, source.topUpId), like(tripCardEntries.idempotencyKey, 'dispute:%'))
        : and(
            eq(tripCardEntries.orderId, source.orderId),
            like(tripCardEntries.idempotencyKey, `dispute:%:${source.refundId}:%`),
          ),
    )
    .orderBy(tripCardEntries.seq);
}

function isDebtOf({ source }: DisputedValue) {
  return 'topUpId' in source
    ? eq(tripCardDebts.topUpId, source.topUpId)
    : eq(tripCardDebts.refundId, source.refundId);
}
