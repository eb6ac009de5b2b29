import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { AutoTopUp, SetAutoTopUp } from '#contract/trip-cards/schemas.ts';
import { isTopUpAmount, type TopUpLimits, topUpLimits } from '#domain/card-charges.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import { findSavedCard } from '../payment-cards/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { lockOwnCard, requireNotLost, type TripCardRow } from './queries.ts';

export type AutoTopUpRow = typeof autoTopUps.$inferSelect;
type Parts = Pick<Deps, 'clock' | 'vault'>;
/** A command beside the server has no jobs at hand; then the minute's run fills what is due. */
export type FillingParts = Pick<Deps, 'clock'> & Partial<Pick<Deps, 'jobs'>>;

/** Declined tries in a row after which the owner must name another card: three, over a day. */
const MAX_FAILURES = 3;
const RETRY_MS = 12 * 3_600_000;
const DEFAULT_MAX_PER_DAY = 1;

/**
 * Sets up, changes or pauses a card's automatic top-up; whatever went wrong before is forgotten. Due at once when
 * there is less on the card already.
 * @throws {ApiError} not_found, trip_card_lost, top_up_amount, invalid_input for a payment card that cannot be charged
 */
export async function setAutoTopUp(
  deps: Deps,
  customerId: string,
  cardId: string,
  wish: SetAutoTopUp,
): Promise<void> {
  const { top_up: limits } = await loadWebSettings(deps);
  const saved = await findSavedCard(deps, customerId, wish.payment_card_id);
  const isDue = await inTransaction(deps.db, async (tx) => {
    const card = await lockOwnCard(tx, customerId, cardId);
    requireNotLost(card);
    requireAmounts(wish, topUpLimits(limits, card.currency));
    if (!saved || saved.isExpired) throw new ApiError('invalid_input', { field: 'payment_card_id' });
    const now = deps.clock.now();
    const state: AutoTopUpRow['state'] = wish.paused ? 'paused' : 'ok';
    const set = {
      threshold: wish.threshold,
      amount: wish.amount,
      paymentCardId: saved.id,
      maxPerDay: wish.max_per_day ?? DEFAULT_MAX_PER_DAY,
      state,
      failures: 0,
      tryAt: state === 'ok' && card.balance < wish.threshold ? now : null,
      updatedAt: now,
    };
    await tx
      .insert(autoTopUps)
      .values({ tripCardId: cardId, customerId, ...set, insertedAt: now })
      .onConflictDoUpdate({ target: autoTopUps.tripCardId, set: { customerId, ...set } });
    return set.tryAt !== null;
  });
  if (isDue) deps.jobs.trigger('reconcile-top-ups');
}

/** Any balance may be the threshold; what is added is charged to a payment card. */
function requireAmounts({ amount, threshold }: SetAutoTopUp, { min, max, step }: TopUpLimits): void {
  if (!isTopUpAmount(amount, { min, max, step })) {
    throw new ApiError('top_up_amount', { field: 'amount', details: { min, max, step } });
  }
  if (threshold >= 1 && threshold <= max) return;
  throw new ApiError('top_up_amount', { field: 'threshold', details: { min: 1, max } });
}

/**
 * Ends a card's automatic top-up; there being none is fine.
 * @throws {ApiError} not_found
 */
export async function removeAutoTopUp(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  cardId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOwnCard(tx, customerId, cardId);
    await tx.delete(autoTopUps).where(eq(autoTopUps.tripCardId, cardId));
  });
}

/** Has a card filled soon that has less on it than its line; in the transaction that brought it there. */
export async function noteBelowLine(
  tx: Database,
  { clock, jobs }: FillingParts,
  cardId: string,
  balance: number,
): Promise<void> {
  const due = await tx
    .update(autoTopUps)
    .set({ tryAt: clock.now() })
    .where(
      and(
        eq(autoTopUps.tripCardId, cardId),
        eq(autoTopUps.state, 'ok'),
        isNull(autoTopUps.tryAt),
        gt(autoTopUps.threshold, balance),
      ),
    )
    .returning({ cardId: autoTopUps.tripCardId });
  if (due.length > 0) jobs?.trigger('reconcile-top-ups');
}

/** A top-up came through, by itself or by hand: earlier failures no longer count, and the bank is content. */
export async function noteFilled(
  tx: Database,
  { clock }: Pick<Parts, 'clock'>,
  cardId: string,
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({
      failures: 0,
      tryAt: null,
      state: sql`case when ${autoTopUps.state} = 'needs_authentication' then 'ok' else ${autoTopUps.state} end`,
      updatedAt: clock.now(),
    })
    .where(eq(autoTopUps.tripCardId, cardId));
}

/** An automatic top-up was declined: tried again later, or its owner is asked to do something. */
export async function noteDeclined(
  tx: Database,
  deps: Parts,
  card: TripCardRow,
  code: string,
): Promise<void> {
  const auto = await lockAutoTopUp(tx, card.id);
  if (auto?.state !== 'ok') return;
  const failures = auto.failures + 1;
  await tx
    .update(autoTopUps)
    .set({ failures, tryAt: new Date(deps.clock.now().getTime() + RETRY_MS), updatedAt: deps.clock.now() })
    .where(eq(autoTopUps.tripCardId, card.id));
  if (code === 'authentication_required') await stopAutoTopUp(tx, deps, card, 'needs_authentication');
  else if (failures >= MAX_FAILURES) await stopAutoTopUp(tx, deps, card, 'needs_card');
}

/** Waits for the owner, who is told. */
export async function stopAutoTopUp(
  tx: Database,
  deps: Parts,
  card: TripCardRow,
  state: 'needs_card' | 'needs_authentication',
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ state, tryAt: null, updatedAt: deps.clock.now() })
    .where(eq(autoTopUps.tripCardId, card.id));
  const owner = await findCustomer(tx, card.customerId);
  if (!owner) return;
  await queueAccountMail(tx, deps, {
    to: owner.email,
    kind: 'trip-card-auto-stopped',
    facts: { name: card.name, lastFour: card.number.slice(-4), why: state },
  });
}

export async function lockAutoTopUp(tx: Database, cardId: string): Promise<AutoTopUpRow | null> {
  const [auto] = await tx
    .select()
    .from(autoTopUps)
    .where(eq(autoTopUps.tripCardId, cardId))
    .for('no key update');
  return auto ?? null;
}

export function presentAutoTopUp(auto: AutoTopUpRow): AutoTopUp {
  return {
    threshold: auto.threshold,
    amount: auto.amount,
    payment_card_id: auto.paymentCardId,
    max_per_day: auto.maxPerDay,
    state: auto.state,
    next_try_at: auto.tryAt?.toISOString() ?? null,
  };
}
