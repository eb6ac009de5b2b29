import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { isOpen, OPEN_PAYMENT } from '../payments/payment-status.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { noteLowBalance } from './auto-top-up.ts';
import { findLostIntent } from './open-top-up.ts';
import { lockLiveCard, type TopUpRow } from './queries.ts';
import { refreshTopUp, requireTopUp } from './read-top-ups.ts';
import { chargeAutoTopUp, runAutoTopUps } from './run-auto-top-ups.ts';
import { topUpSubject } from './top-up-subject.ts';

const MINUTE_MS = 60_000;
/** A top-up that is not finished after this long is cancelled, so that nothing is charged unexpectedly. */
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
      const known = await refreshTopUp(context, await requireTopUp(context.db, topUp.id));
      if (isOpen(known) && now - topUp.insertedAt.getTime() >= ABANDONED_MS)
        await cancelTopUp(context, known);
    } catch (error) {
      context.log.error('top-up not reconciled', describeError(error));
    }
  }
}

/** A saved card may have been charged although the answer was lost; an automatic top-up is charged now if not. */
async function recoverCharge(context: Context, topUp: TopUpRow): Promise<void> {
  if (topUp.paymentCardId === null) return;
  const lost = await findLostIntent(context, topUp);
  if (lost) await settleIntent(context, topUpSubject, lost);
  else if (topUp.trigger === 'auto') await chargeAutoTopUp(context, topUp);
}

async function cancelTopUp(context: Context, topUp: TopUpRow): Promise<void> {
  if (topUp.providerReference === null) {
    // The browser never got the secret that such a top-up is confirmed with, and no card was charged for it.
    await context.db
      .update(topUps)
      .set({ status: 'cancelled', updatedAt: context.clock.now() })
      .where(and(eq(topUps.id, topUp.id), isNull(topUps.providerReference)));
  } else
    await settleIntent(context, topUpSubject, await context.provider.cancelIntent(topUp.providerReference));
  if (topUp.trigger === 'manual') return;
  // The card still needs an automatic top-up.
  await inTransaction(context.db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    await noteLowBalance(tx, context, card.id, card.balance);
  });
}
