import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
import { settlePaymentIntent } from '../payments/apply-payment-intent.ts';
import { OPEN_PAYMENT } from '../payments/intent-state.ts';
import { askProvider, isUnexpectedState } from '../payments/provider.ts';
import type { TopUpRow } from './apply-top-up.ts';
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
      const isOpen = OPEN_PAYMENT.some((status) => status === known.status);
      if (isOpen && now - topUp.insertedAt.getTime() >= ABANDONED_MS) await giveUp(deps, known);
    } catch (error) {
      deps.log.error('top-up not reconciled', describeError(error));
    }
  }
}

/** A saved card may have been charged without our hearing of it; one that fills a trip card by itself is charged now. */
async function findCharge(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.paymentCardId === null) return;
  const lost = await findLostIntent(deps, topUp);
  if (lost) await settlePaymentIntent(deps, lost);
  else if (topUp.trigger === 'auto') await chargeAutoTopUp(deps, topUp);
}

async function giveUp(deps: Deps, topUp: TopUpRow): Promise<void> {
  if (topUp.providerReference === null) {
    // Nobody was ever given the secret such a top-up is paid with, and no card was charged for it.
    await deps.db
      .update(topUps)
      .set({ status: 'cancelled', updatedAt: deps.clock.now() })
      .where(and(eq(topUps.id, topUp.id), isNull(topUps.providerReference)));
  } else await settlePaymentIntent(deps, await cancelIntent(deps, topUp.providerReference));
  if (topUp.trigger === 'manual') return;
  // What was given up for want of an answer is still to be done.
  await inTransaction(deps.db, async (tx) => {
    const card = await lockLiveCard(tx, topUp.tripCardId);
    await noteBelowLine(tx, deps, card.id, card.balance);
  });
}

async function cancelIntent(deps: Deps, reference: string): Promise<Stripe.PaymentIntent> {
  return askProvider(deps, async () => {
    try {
      return await deps.stripe.paymentIntents.cancel(reference);
    } catch (error) {
      if (!isUnexpectedState(error)) throw error;
      return deps.stripe.paymentIntents.retrieve(reference);
    }
  });
}
