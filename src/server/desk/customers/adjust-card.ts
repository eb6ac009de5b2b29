import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { AdjustCard } from '#contract/desk/customers/schemas.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { tripCardEntries, tripCards } from '#server/database/schema/trip-cards.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { adjustBalance } from '#server/trip-cards/operator-commands.ts';
import { lockCard, requireNotLost, type TripCardRow } from '#server/trip-cards/queries.ts';
import { getRefundLimit } from '../refund-limit.ts';

/** What is added to a card within this time counts together. */
const DAY_MS = 24 * 3_600_000;
/** Trips that are added to a pass in a day. */
const TRIPS_LIMIT = 20;

/**
 * The owner of a trip card.
 * @throws {ApiError} not_found, also for a card without an account
 */
export async function findCardOwner(db: Database, cardId: string): Promise<string> {
  const [card] = await db
    .select({ customerId: tripCards.customerId })
    .from(tripCards)
    .where(eq(tripCards.id, cardId));
  if (card?.customerId == null) throw notFound();
  return card.customerId;
}

/**
 * Corrects the balance of a trip card as the operator's command does, but adds no more in a day than one person may refund.
 * @param input key: a repetition with the same key changes nothing
 * @throws {ApiError} not_found, trip_card_lost, insufficient_balance, refund_needs_approval
 */
export async function adjustCard(
  context: Context,
  { cardId, actor, key, amount, reason }: AdjustCard & { cardId: string; actor: StaffActor; key: string },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockCard(tx, cardId);
    requireNotLost(card);
    await adjustBalance({ ...context, db: tx }, { number: card.number, amount, reason, key, actor });
    if (amount > 0 && (await sumAdded(tx, context, card)) > getLimit(context, card)) {
      throw new ApiError('refund_needs_approval', { reason: 'adjustment_too_large' });
    }
  });
}

/** What staff added within a day, in the card's unit, to it and to the cards that it replaces. */
async function sumAdded(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { id }: TripCardRow,
): Promise<number> {
  const [row] = await tx
    .select({ added: sql`coalesce(sum(greatest(${tripCardEntries.amount}, 0)), 0)`.mapWith(Number) })
    .from(tripCardEntries)
    .where(
      and(
        sql`${tripCardEntries.tripCardId} in (
          with recursive chain as (
            select id, replaces_card_id from trip_cards where id = ${id}
            union all
            select c.id, c.replaces_card_id from trip_cards c join chain on c.id = chain.replaces_card_id
          )
          select id from chain
        )`,
        eq(tripCardEntries.kind, 'adjustment'),
        eq(tripCardEntries.actor, 'staff'),
        // The first balance of a printed card has a cause.
        isNull(tripCardEntries.cause),
        gt(tripCardEntries.insertedAt, new Date(clock.now().getTime() - DAY_MS)),
      ),
    );
  return row?.added ?? 0;
}

function getLimit(context: Pick<Context, 'config'>, { unit, currency }: TripCardRow): number {
  return unit === 'trips' ? TRIPS_LIMIT : getRefundLimit(context, currency);
}
