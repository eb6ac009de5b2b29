import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { SetAutoTopUp } from '#contract/trip-cards/schemas.ts';
import { getTopUpLimits, isTopUpAmount, type TopUpLimits } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { queueCardMail } from './card-mails.ts';
import { type CardRequest, lockOwnCard, requireNotLost, type TripCardRow } from './queries.ts';

export type AutoTopUpRow = typeof autoTopUps.$inferSelect;
type MailContext = Pick<Context, 'clock' | 'vault'>;
/** Commands run without jobs; then the job of every minute tops up the due cards. */
export type AutoTopUpContext = Pick<Context, 'clock'> & Partial<Pick<Context, 'jobs'>>;

/** Declined attempts in a row, over a day, after which the owner must choose another card. */
const MAX_FAILURES = 3;
const RETRY_MS = 12 * 3_600_000;
const DEFAULT_MAX_PER_DAY = 1;

/**
 * Sets up, changes or pauses a card's automatic top-up, and resets earlier failures. It is due at once if the balance
 * is below the threshold.
 * @throws {ApiError} not_found, trip_card_lost, holds_trips, top_up_amount, invalid_input for a payment card that cannot be charged
 */
export async function setAutoTopUp(context: Context, input: CardRequest & SetAutoTopUp): Promise<void> {
  const { customerId, cardId } = input;
  const { top_up: settings } = await loadWebSettings(context);
  const saved = await findSavedCard(context, { customerId, cardId: input.payment_card_id });
  const isDue = await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, input);
    requireNotLost(card);
    requireMoney(card);
    const limits = getTopUpLimits(settings, card.currency);
    requireTopUpAmount(input.amount, limits);
    const { max } = limits;
    if (input.threshold < 1 || input.threshold > max) {
      throw new ApiError('top_up_amount', { field: 'threshold', details: { min: 1, max } });
    }
    requireChargeable(saved);
    const now = context.clock.now();
    const state: AutoTopUpRow['state'] = input.paused ? 'paused' : 'ok';
    const set = {
      threshold: input.threshold,
      amount: input.amount,
      paymentCardId: saved.id,
      maxPerDay: input.max_per_day ?? DEFAULT_MAX_PER_DAY,
      state,
      failures: 0,
      tryAt: state === 'ok' && card.balance < input.threshold ? now : null,
      updatedAt: now,
    };
    await tx
      .insert(autoTopUps)
      .values({ tripCardId: cardId, customerId, ...set, insertedAt: now })
      .onConflictDoUpdate({ target: autoTopUps.tripCardId, set: { customerId, ...set } });
    return set.tryAt !== null;
  });
  if (isDue) context.jobs.trigger('reconcile-top-ups');
}

/** @throws {ApiError} holds_trips */
export function requireMoney({ unit }: Pick<TripCardRow, 'unit'>): void {
  if (unit === 'trips') throw new ApiError('holds_trips');
}

/** @throws {ApiError} top_up_amount */
export function requireTopUpAmount(amount: number, { min, max, step }: TopUpLimits): void {
  if (isTopUpAmount(amount, { min, max, step })) return;
  throw new ApiError('top_up_amount', { field: 'amount', details: { min, max, step } });
}

/** @throws {ApiError} invalid_input for a payment card that is unknown or expired */
export function requireChargeable(saved: SavedCard | null): asserts saved is SavedCard {
  if (!saved || saved.isExpired) throw new ApiError('invalid_input', { field: 'payment_card_id' });
}

/**
 * Ends a card's automatic top-up, if there is one.
 * @throws {ApiError} not_found
 */
export async function removeAutoTopUp({ db }: Pick<Context, 'db'>, input: CardRequest): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOwnCard(tx, input);
    await tx.delete(autoTopUps).where(eq(autoTopUps.tripCardId, input.cardId));
  });
}

/** Schedules the automatic top-up of a card whose balance fell below the threshold, in the same transaction. */
export async function scheduleAutoTopUp(
  tx: Database,
  { clock, jobs }: AutoTopUpContext,
  { id, balance }: Pick<TripCardRow, 'id' | 'balance'>,
): Promise<void> {
  const due = await tx
    .update(autoTopUps)
    .set({ tryAt: clock.now() })
    .where(
      and(
        eq(autoTopUps.tripCardId, id),
        eq(autoTopUps.state, 'ok'),
        isNull(autoTopUps.tryAt),
        gt(autoTopUps.threshold, balance),
      ),
    )
    .returning({ cardId: autoTopUps.tripCardId });
  if (due.length > 0) jobs?.trigger('reconcile-top-ups');
}

/** After any successful top-up earlier failures no longer count, and the bank needs no authentication. */
export async function resetFailures(
  tx: Database,
  context: Pick<Context, 'clock'>,
  cardId: string,
): Promise<void> {
  await updateAutoTopUp(tx, context, {
    cardId,
    failures: 0,
    tryAt: null,
    state: sql`case when ${autoTopUps.state} = 'needs_authentication' then 'ok' else ${autoTopUps.state} end`,
  });
}

/** After a declined automatic top-up: tries again later, or asks the owner to act. */
export async function recordDecline(
  tx: Database,
  context: MailContext,
  { card, code }: { card: TripCardRow; code: string },
): Promise<void> {
  const auto = await lockAutoTopUp(tx, card.id);
  if (auto?.state !== 'ok') return;
  const failures = auto.failures + 1;
  const tryAt = new Date(context.clock.now().getTime() + RETRY_MS);
  await updateAutoTopUp(tx, context, { cardId: card.id, failures, tryAt });
  if (code === 'authentication_required')
    await stopAutoTopUp(tx, context, { card, state: 'needs_authentication' });
  else if (failures >= MAX_FAILURES) await stopAutoTopUp(tx, context, { card, state: 'needs_card' });
}

/** Stops automatic top-ups until the owner acts, and sends them a mail. */
export async function stopAutoTopUp(
  tx: Database,
  context: MailContext,
  { card, state }: { card: TripCardRow; state: 'needs_card' | 'needs_authentication' },
): Promise<void> {
  await updateAutoTopUp(tx, context, { cardId: card.id, state, tryAt: null });
  await queueCardMail(tx, context, { card, kind: 'trip-card-auto-stopped', data: { why: state } });
}

async function updateAutoTopUp(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { cardId, ...change }: PgUpdateSetSource<typeof autoTopUps> & { cardId: string },
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(autoTopUps.tripCardId, cardId));
}

export async function lockAutoTopUp(tx: Database, cardId: string): Promise<AutoTopUpRow | null> {
  const [auto] = await tx
    .select()
    .from(autoTopUps)
    .where(eq(autoTopUps.tripCardId, cardId))
    .for('no key update');
  return auto ?? null;
}
