import { and, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { gateCharges, tripCardBlocks, tripCardDebts, tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { postEntry } from './post-entry.ts';
import { availableOn, lockCard, lockLiveCard } from './queries.ts';

/** A fare that a gate charged, possibly long ago and offline. `amount` in minor units. */
export type GateCharge = {
  deviceId: string;
  /** The device's counter: 1, 2, 3… */
  deviceSeq: number;
  /** The 16 digits that the gate read. */
  number: string;
  amount: number;
  occurredAt: Date;
  place: string;
};

/**
 * The outcome of a charge. `owed`: not or only partly paid; a debt holds the rest. `conflict`: the device has used this
 * number for another charge, which stays.
 */
export type ChargeOutcome = 'charged' | 'owed' | 'known' | 'conflict';

type Parts = Pick<Context, 'db' | 'clock' | 'vault'>;
type DebtReason = (typeof tripCardDebts.$inferInsert)['reason'];

/**
 * Charges a gate's fare to its card, once. The final balance does not depend on the order in which charges and top-ups
 * arrive: a fare takes what is available, the rest is owed, and later value pays debts first. Rides while the card was
 * frozen or lost are not charged.
 */
export async function takeCharge(context: Parts, charge: GateCharge): Promise<ChargeOutcome> {
  return inTransaction(context.db, async (tx) => {
    const { deviceId, deviceSeq } = charge;
    const now = context.clock.now();
    const [isNew] = await tx
      .insert(gateCharges)
      .values({ ...charge, insertedAt: now })
      .onConflictDoNothing()
      .returning({ deviceSeq: gateCharges.deviceSeq });
    if (!isNew) return (await isSame(tx, charge)) ? 'known' : 'conflict';
    const [card] = await tx
      .select({ id: tripCards.id })
      .from(tripCards)
      .where(eq(tripCards.number, charge.number));
    if (!card) return owe(tx, context, charge, { amount: charge.amount, reason: 'unknown_card' });
    await lockCard(tx, card.id);
    if (await wasBlocked(tx, card.id, charge.occurredAt)) {
      return owe(tx, context, charge, { amount: charge.amount, reason: 'card_blocked', cardId: card.id });
    }
    const live = await lockLiveCard(tx, card.id);
    await tx
      .update(gateCharges)
      .set({ tripCardId: live.id })
      .where(and(eq(gateCharges.deviceId, deviceId), eq(gateCharges.deviceSeq, deviceSeq)));
    const paid = Math.min(availableOn(live), charge.amount);
    if (paid > 0) {
      await postEntry(tx, context, live.id, {
        kind: 'fare',
        amount: -paid,
        description: 'Fare at the gate',
        place: charge.place,
        idempotencyKey: `gate:${deviceId}:${deviceSeq}`,
        actor: 'device',
        occurredAt: charge.occurredAt,
      });
    }
    await noteUse(tx, live.id, charge.occurredAt);
    if (paid === charge.amount) return 'charged';
    const rest = charge.amount - paid;
    return owe(tx, context, charge, { amount: rest, reason: 'insufficient_balance', cardId: live.id });
  });
}

async function isSame(tx: Database, charge: GateCharge): Promise<boolean> {
  const [known] = await tx
    .select()
    .from(gateCharges)
    .where(and(eq(gateCharges.deviceId, charge.deviceId), eq(gateCharges.deviceSeq, charge.deviceSeq)));
  return (
    known !== undefined &&
    known.number === charge.number &&
    known.amount === charge.amount &&
    known.occurredAt.getTime() === charge.occurredAt.getTime()
  );
}

async function wasBlocked(tx: Database, cardId: string, at: Date): Promise<boolean> {
  const [block] = await tx
    .select({ fromAt: tripCardBlocks.fromAt })
    .from(tripCardBlocks)
    .where(
      and(
        eq(tripCardBlocks.tripCardId, cardId),
        lte(tripCardBlocks.fromAt, at),
        or(isNull(tripCardBlocks.untilAt), gt(tripCardBlocks.untilAt, at)),
      ),
    )
    .limit(1);
  return block !== undefined;
}

async function owe(
  tx: Database,
  { clock }: Pick<Parts, 'clock'>,
  { deviceId, deviceSeq }: GateCharge,
  { amount, reason, cardId = null }: { amount: number; reason: DebtReason; cardId?: string | null },
): Promise<ChargeOutcome> {
  const now = clock.now();
  await tx.insert(tripCardDebts).values({
    id: newId('dbt'),
    deviceId,
    deviceSeq,
    tripCardId: cardId,
    reason,
    amount,
    insertedAt: now,
    updatedAt: now,
  });
  return 'owed';
}

async function noteUse(tx: Database, cardId: string, at: Date): Promise<void> {
  await tx
    .update(tripCards)
    .set({ lastUsedAt: at })
    .where(and(eq(tripCards.id, cardId), or(isNull(tripCards.lastUsedAt), lte(tripCards.lastUsedAt, at))));
}
