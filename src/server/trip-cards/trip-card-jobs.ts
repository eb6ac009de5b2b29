import { and, eq, gte, inArray, isNull, lt, lte, notInArray, sql } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { autoTopUps, topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { findSavedCard } from '../payment-cards/queries.ts';
import { isOpen, OPEN_PAYMENT } from '../payments/payment-status.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { type AutoTopUpRow, lockAutoTopUp, scheduleAutoTopUp, stopAutoTopUp } from './auto-top-up.ts';
import { listLineage, lockCard, lockLiveCard, type TopUpRow, type TripCardRow } from './queries.ts';
import { topUpSubject } from './top-up-subject.ts';
import { ensureIntent, findLostIntent, insertTopUp, refreshTopUp, requireTopUp } from './top-ups.ts';

const MINUTE_MS = 60_000;
/** A top-up that is not finished after this long is canceled, so that nothing is charged unexpectedly. */
const ABANDONED_MS = 60 * MINUTE_MS;
const BATCH = 200;
/** So that the same open top-ups do not always fill the batch. */
const ANY_ORDER = sql`random()`;

/** Registers the job of every minute for automatic top-ups and reconciliation with the card provider. */
export async function registerTripCardJobs(context: Context): Promise<void> {
  await context.jobs.work('reconcile-top-ups', async () => {
    await runAutoTopUps(context);
    await reconcileTopUps(context);
  });
  await context.jobs.schedule('reconcile-top-ups', '* * * * *');
}

/** Asks the provider about top-ups whose end has been unknown for a minute, and cancels abandoned ones. */
export async function reconcileTopUps(context: Context): Promise<void> {
  const now = context.clock.now().getTime();
  const open = await context.db
    .select()
    .from(topUps)
    .where(and(inArray(topUps.status, [...OPEN_PAYMENT]), lt(topUps.updatedAt, new Date(now - MINUTE_MS))))
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const topUp of open) {
    try {
      if (topUp.providerReference === null) await recoverCharge(context, topUp);
      const current = await refreshTopUp(context, await requireTopUp(context.db, topUp.id));
      if (isOpen(current) && now - topUp.insertedAt.getTime() >= ABANDONED_MS)
        await cancelTopUp(context, current);
    } catch (error) {
      context.log.error('top-up not reconciled', describeError(error));
    }
  }
}

/** A saved card may have been charged although the answer was lost; an automatic top-up is charged now if not. */
async function recoverCharge(context: Context, topUp: TopUpRow): Promise<void> {
  if (topUp.paymentCardId === null) return;
  const lost = await findLostIntent(context, topUp);
  if (lost) await settleIntent(context, { subject: topUpSubject, intent: lost });
  else if (topUp.trigger === 'auto') await chargeAutoTopUp(context, topUp);
}

async function cancelTopUp(context: Context, topUp: TopUpRow): Promise<void> {
  const { providerReference } = topUp;
  if (providerReference !== null) {
    await settleIntent(context, {
      subject: topUpSubject,
      intent: await context.provider.cancelIntent(providerReference),
    });
  } else {
    // The browser never got the secret that such a top-up is confirmed with, and no card was charged for it.
    await context.db
      .update(topUps)
      .set({ status: 'canceled', updatedAt: context.clock.now() })
      .where(and(eq(topUps.id, topUp.id), isNull(topUps.providerReference)));
  }
  if (topUp.trigger === 'manual') return;
  // The card still needs an automatic top-up.
  await inTransaction(context.db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    await scheduleAutoTopUp(tx, context, card);
  });
}

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
async function chargeAutoTopUp(context: Context, topUp: TopUpRow): Promise<void> {
  if (!(await isStillRequested(context, topUp))) return;
  const card = await findSavedCard(context, {
    customerId: topUp.byCustomerId ?? '',
    cardId: topUp.paymentCardId ?? '',
  });
  if (!card) return;
  const payer = { kind: 'saved', card, isPresent: false } as const;
  const intent = await ensureIntent(context, { topUp, payer, device: 'Automatic top-up' });
  await settleIntent(context, { subject: topUpSubject, intent });
}

/** After a crash, the owner may have stopped or changed it between opening and charging. */
async function isStillRequested({ db }: Pick<Context, 'db'>, topUp: TopUpRow): Promise<boolean> {
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
  const later = await findNextTry(tx, card, auto, now);
  if (later !== undefined) {
    await tx.update(autoTopUps).set({ tryAt: later }).where(eq(autoTopUps.tripCardId, cardId));
    return null;
  }
  const saved = await findSavedCard(
    { ...context, db: tx },
    { customerId: auto.customerId, cardId: auto.paymentCardId },
  );
  if (!saved || saved.isExpired) {
    await stopAutoTopUp(tx, context, { card, state: 'needs_card' });
    return null;
  }
  await tx.update(autoTopUps).set({ tryAt: null }).where(eq(autoTopUps.tripCardId, cardId));
  return insertTopUp(tx, context, {
    card,
    byCustomerId: auto.customerId,
    amount: auto.amount,
    trigger: 'auto',
    paymentCardId: saved.id,
    startedFrom: `auto:${auto.customerId}`,
    idempotencyKey: null,
  });
}

/** When to look again: undefined for now, null for after the next fall below the threshold or an unfreeze. */
async function findNextTry(
  tx: Database,
  card: TripCardRow,
  auto: AutoTopUpRow,
  now: Date,
): Promise<Date | null | undefined> {
  if (card.balance >= auto.threshold || card.status !== 'active') return null;
  const lineage = await listLineage(tx, card.id);
  const automatic = and(inArray(topUps.tripCardId, lineage), eq(topUps.trigger, 'auto'));
  const isUnfinished = and(automatic, inArray(topUps.status, [...OPEN_PAYMENT]));
  if ((await tx.$count(topUps, isUnfinished)) > 0) return new Date(now.getTime() + MINUTE_MS);
  const { timeZone } = await getOperator(tx);
  const today = getLocalDay(now.getTime(), timeZone);
  const isOfToday = and(
    automatic,
    notInArray(topUps.status, ['failed', 'canceled']),
    gte(topUps.insertedAt, new Date(getDayStart(today, timeZone))),
  );
  if ((await tx.$count(topUps, isOfToday)) < auto.maxPerDay) return undefined;
  return new Date(getDayStart(addDays(today, 1), timeZone));
}
