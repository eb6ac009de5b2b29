import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
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
export async function registerTripCardJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('reconcile-top-ups', async () => {
    await runAutoTopUps(deps);
    await reconcileTopUps(deps);
  });
  await deps.jobs.schedule('reconcile-top-ups', '* * * * *');
}

/** Asks the provider about top-ups whose end has been unknown for a minute, and cancels abandoned ones. */
export async function reconcileTopUps(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime();
  const open = await deps.db
    .select()
    .from(topUps)
    .where(and(inArray(topUps.status, [...OPEN_PAYMENT]), lt(topUps.updatedAt, new Date(now - MINUTE_MS))))
    .orderBy(ANY_ORDER)
    .limit(BATCH);
  for (const topUp of open) {
    try {
      if (topUp.providerReference === null) await recoverCharge(deps, topUp);
      const known = await refreshTopUp(deps, await requireTopUp(deps.db, topUp.id));
      if (isOpen(known) && now - topUp.insertedAt.getTime() >= ABANDONED_MS) await cancelTopUp(deps, known);
    } catch (error) {
      deps.log.error('top-up not reconciled', describeError(error));
    }
  }
}

/** A saved card may have been charged although the answer was lost; an automatic top-up is charged now if not. */
async function recoverCharge(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.paymentCardId === null) return;
  const lost = await findLostIntent(deps, topUp);
  if (lost) await settleIntent(deps, topUpSubject, lost);
  else if (topUp.trigger === 'auto') await chargeAutoTopUp(deps, topUp);
}

async function cancelTopUp(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.providerReference === null) {
    // The browser never got the secret that such a top-up is confirmed with, and no card was charged for it.
    await deps.db
      .update(topUps)
      .set({ status: 'cancelled', updatedAt: deps.clock.now() })
      .where(and(eq(topUps.id, topUp.id), isNull(topUps.providerReference)));
  } else await settleIntent(deps, topUpSubject, await deps.provider.cancelIntent(topUp.providerReference));
  if (topUp.trigger === 'manual') return;
  // The card still needs an automatic top-up.
  await inTransaction(deps.db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    await noteLowBalance(tx, deps, card.id, card.balance);
  });
}
