import { and, count, eq, gte, inArray, lte, ne } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { dayStart, localDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps, topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { findSavedCard } from '../payment-cards/queries.ts';
import { OPEN_PAYMENT } from '../payments/payment-status.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { operatorOf } from '../sailings/operator.ts';
import { type AutoTopUpRow, lockAutoTopUp, stopAutoTopUp } from './auto-top-up.ts';
import { insertTopUp, topUpIntent } from './open-top-up.ts';
import { listLineage, lockCard, lockLiveCard, type TopUpRow, type TripCardRow } from './queries.ts';
import { topUpSubject } from './top-up-subject.ts';

const BATCH = 200;
const MINUTE_MS = 60_000;

/** Tops up the cards that are due. A failure does not stop the rest. */
export async function runAutoTopUps(context: Context): Promise<void> {
  const due = await context.db
    .select({ cardId: autoTopUps.tripCardId })
    .from(autoTopUps)
    .where(and(eq(autoTopUps.state, 'ok'), lte(autoTopUps.tryAt, context.clock.now())))
    .orderBy(autoTopUps.tryAt)
    .limit(BATCH);
  for (const { cardId } of due) {
    try {
      const topUp = await inTransaction(context.db, (tx) => openAutoTopUp(tx, context, cardId));
      if (topUp) await chargeAutoTopUp(context, topUp);
    } catch (error) {
      // A top-up that was opened but not charged is continued by reconciliation.
      context.log.error('automatic top-up failed', describeError(error));
    }
  }
}

/**
 * Charges an automatic top-up that was opened, unless the owner has called it off since. The owner is not present.
 * Safe to repeat.
 * @throws {ApiError} payment_unavailable
 */
export async function chargeAutoTopUp(context: Context, topUp: TopUpRow): Promise<void> {
  if (!(await isStillWanted(context, topUp))) return;
  const card = await findSavedCard(context, topUp.byCustomerId, topUp.paymentCardId ?? '');
  if (!card) return;
  const payer = { kind: 'saved', card, isPresent: false } as const;
  await settleIntent(context, topUpSubject, await topUpIntent(context, topUp, payer, 'Automatic top-up'));
}

/** After a crash, the owner may have stopped or changed it between opening and charging. */
async function isStillWanted({ db }: Pick<Context, 'db'>, topUp: TopUpRow): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    const auto = await lockAutoTopUp(tx, card.id);
    return (
      auto?.state === 'ok' &&
      auto.customerId === topUp.byCustomerId &&
      auto.paymentCardId === topUp.paymentCardId &&
      auto.amount === topUp.amount
    );
  });
}

/** Opens a top-up for a card that is due, or sets when to look again. */
async function openAutoTopUp(tx: Database, context: Context, cardId: string): Promise<TopUpRow | null> {
  const card = await lockCard(tx, cardId);
  const auto = await lockAutoTopUp(tx, cardId);
  const now = context.clock.now();
  if (auto?.state !== 'ok' || auto.tryAt === null || auto.tryAt > now) return null;
  const later = await findDelay(tx, card, auto, now);
  if (later !== undefined) {
    await tx.update(autoTopUps).set({ tryAt: later }).where(eq(autoTopUps.tripCardId, cardId));
    return null;
  }
  const saved = await findSavedCard({ db: tx, clock: context.clock }, auto.customerId, auto.paymentCardId);
  if (!saved || saved.isExpired) {
    await stopAutoTopUp(tx, context, card, 'needs_card');
    return null;
  }
  await tx.update(autoTopUps).set({ tryAt: null }).where(eq(autoTopUps.tripCardId, cardId));
  return insertTopUp(tx, context, card, {
    byCustomerId: auto.customerId,
    amount: auto.amount,
    trigger: 'auto',
    paymentCardId: saved.id,
    startedFrom: `auto:${auto.customerId}`,
    idempotencyKey: null,
  });
}

/** When to look again: undefined for now, null for after the next fall below the threshold or an unfreeze. */
async function findDelay(
  tx: Database,
  card: TripCardRow,
  auto: AutoTopUpRow,
  now: Date,
): Promise<Date | null | undefined> {
  if (card.balance >= auto.threshold || card.status !== 'active') return null;
  const lineage = await listLineage(tx, card.id);
  const automatic = and(inArray(topUps.tripCardId, lineage), eq(topUps.trigger, 'auto'));
  const [open] = await tx
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(automatic, inArray(topUps.status, [...OPEN_PAYMENT])))
    .limit(1);
  if (open) return new Date(now.getTime() + MINUTE_MS);
  const { timeZone } = await operatorOf(tx);
  const today = localDay(now.getTime(), timeZone);
  const [done] = await tx
    .select({ count: count() })
    .from(topUps)
    .where(
      and(
        automatic,
        ne(topUps.status, 'failed'),
        ne(topUps.status, 'cancelled'),
        gte(topUps.insertedAt, new Date(dayStart(today, timeZone))),
      ),
    );
  if ((done?.count ?? 0) < auto.maxPerDay) return undefined;
  return new Date(dayStart(addDays(today, 1), timeZone));
}
