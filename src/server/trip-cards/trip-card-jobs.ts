import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { isOpen, OPEN_PAYMENT } from '../card-provider/intent-state.ts';
import { cancelIntent } from '../card-provider/provider.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
import { settleTopUp, type TopUpRow } from './apply-top-up.ts';
import { noteBelowLine } from './auto-top-up.ts';
import { lockLiveCard } from './queries.ts';
import { lookUpTopUp, requireTopUp } from './read-top-ups.ts';
import { chargeAutoTopUp, runAutoTopUps } from './run-auto-top-ups.ts';
import { findLostIntent } from './top-up-intent.ts';

const MINUTE_MS = 60_000;
/** A form left open this long is given up, so that nothing can be charged that nobody waits for. */
const ABANDONED_MS = 60 * MINUTE_MS;
const BATCH = 200;
/** So that many that stay open keep none of the others waiting for ever. */
const ANY_ORDER = sql`random()`;

/** Registers the job that fills cards by themselves and catches up with the card provider, every minute. */
export async function registerTripCardJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('reconcile-top-ups', async () => {
    await runAutoTopUps(deps);
    await reconcileTopUps(deps);
  });
  await deps.jobs.schedule('reconcile-top-ups', '* * * * *');
}

/** Looks up every top-up whose end has been unknown for a minute, and gives up those nobody goes on with. */
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
      if (topUp.providerReference === null) await findCharge(deps, topUp);
      const known = await lookUpTopUp(deps, await requireTopUp(deps.db, topUp.id));
      if (isOpen(known) && now - topUp.insertedAt.getTime() >= ABANDONED_MS) await giveUp(deps, known);
    } catch (error) {
      deps.log.error('top-up not reconciled', describeError(error));
    }
  }
}

/** A saved card may have been charged without our hearing of it; one that fills a trip card by itself is charged now. */
async function findCharge(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.paymentCardId === null) return;
  const lost = await findLostIntent(deps, topUp);
  if (lost) await settleTopUp(deps, lost);
  else if (topUp.trigger === 'auto') await chargeAutoTopUp(deps, topUp);
}

async function giveUp(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.providerReference === null) {
    // Nobody was ever given the secret such a top-up is paid with, and no card was charged for it.
    await deps.db
      .update(topUps)
      .set({ status: 'cancelled', updatedAt: deps.clock.now() })
      .where(and(eq(topUps.id, topUp.id), isNull(topUps.providerReference)));
  } else await settleTopUp(deps, await cancelIntent(deps, topUp.providerReference));
  if (topUp.trigger === 'manual') return;
  // What was given up for want of an answer is still to be done.
  await inTransaction(deps.db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    await noteBelowLine(tx, deps, card.id, card.balance);
  });
}
