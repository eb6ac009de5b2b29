import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { tripCardEntries, tripCardReservations, tripCards } from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';
import { beginValidity } from './add-trips.ts';
import { type EntryRow, findEntry, type LedgerContext, postEntry } from './post-entry.ts';
import {
  listLineage,
  lockCard,
  lockLiveCard,
  requireActive,
  requireHeldCard,
  requireNotExpired,
  type TripCardRow,
} from './queries.ts';

/** A purchase. `amount` is positive, in the card's unit. */
type Spend = {
  cardId: string;
  /** The owner, or a person the card is shared with. */
  customerId: string;
  amount: number;
  orderId: string | null;
  cause: EntryCause;
  /** Idempotency key of the ledger entry. */
  key: string;
};

/**
 * Charges a card in the caller's transaction, together with the purchase.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, pass_expired, insufficient_balance,
 * share_limit_reached
 */
export async function spend(tx: Database, context: LedgerContext, input: Spend): Promise<EntryRow> {
  requirePositive(input.amount);
  const card = await lockCard(tx, input.cardId);
  const { dailyLimit } = await requireHeldCard(tx, input, 'spend');
  const earlier = await findEntry(tx, input.key);
  if (earlier) return earlier;
  await requireWithinDay(tx, context, { ...input, dailyLimit });
  return charge(tx, context, { ...input, card, actor: 'customer', byCustomerId: input.customerId });
}

/**
 * Charges a card that is shown to staff, in the caller's transaction. The person who has the card may use it, so no
 * share and no limit of one counts.
 * @param input place: where it is charged, for the card's history
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, pass_expired, insufficient_balance
 */
export async function spendInPerson(
  tx: Database,
  context: LedgerContext,
  input: Omit<Spend, 'customerId'> & { place: string },
): Promise<EntryRow> {
  requirePositive(input.amount);
  const card = await lockCard(tx, input.cardId);
  const earlier = await findEntry(tx, input.key);
  return earlier ?? charge(tx, context, { ...input, card, actor: 'staff', byCustomerId: null });
}

async function charge(
  tx: Database,
  context: LedgerContext,
  {
    card,
    amount,
    key,
    ...entry
  }: Pick<Spend, 'amount' | 'orderId' | 'cause' | 'key'> &
    Pick<EntryRow, 'actor' | 'byCustomerId'> & { card: TripCardRow; place?: string },
): Promise<EntryRow> {
  requireActive(card);
  requireNotExpired(card, context.clock.now());
  const { orderId, cause, actor, byCustomerId, place = null } = entry;
  const posted = await postEntry(tx, context, {
    ...{ tripCardId: card.id, kind: 'fare', amount: -amount, idempotencyKey: key },
    ...{ orderId, cause, actor, byCustomerId, place },
  });
  await tx.update(tripCards).set({ lastUsedAt: posted.insertedAt }).where(eq(tripCards.id, card.id));
  await beginValidity(tx, card, posted.insertedAt);
  return posted;
}

/**
 * Refunds to a card in the caller's transaction, or to its replacement if it was lost.
 * @throws {ApiError} not_found
 */
export async function refundIn(
  tx: Database,
  context: LedgerContext,
  { cardId, amount, orderId, cause, key }: Omit<Spend, 'customerId'>,
): Promise<EntryRow> {
  requirePositive(amount);
  const earlier = await findEntry(tx, key);
  if (earlier) return earlier;
  const card = await lockLiveCard(tx, cardId);
  return postEntry(tx, context, {
    tripCardId: card.id,
    kind: 'refund_in',
    amount,
    orderId,
    cause,
    idempotencyKey: key,
    actor: 'system',
  });
}

function requirePositive(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError('Only a positive amount is moved.');
}

/**
 * Requires that the share's daily limit allows the amount.
 * @param dailyLimit null: no limit
 * @throws {ApiError} share_limit_reached
 */
export async function requireWithinDay(
  tx: Database,
  context: Pick<Context, 'clock'>,
  {
    dailyLimit,
    amount,
    ...spender
  }: Pick<Spend, 'cardId' | 'customerId' | 'amount'> & { dailyLimit: number | null },
): Promise<void> {
  if (dailyLimit === null) return;
  const left = await sumLeftOfDay(tx, context, { ...spender, dailyLimit });
  if (amount > left) throw new ApiError('share_limit_reached', { details: { left } });
}

/**
 * The remainder of a share's limit for the operator's day, of which the cards that were lost have a part. Reserved amounts
 * count against it; a refund does not raise it again.
 */
export async function sumLeftOfDay(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { cardId, customerId, dailyLimit }: Pick<Spend, 'cardId' | 'customerId'> & { dailyLimit: number },
): Promise<number> {
  const { timeZone } = await getOperator(tx);
  const since = new Date(getDayStart(getLocalDay(clock.now().getTime(), timeZone), timeZone));
  const lineage = await listLineage(tx, cardId);
  const [spent] = await tx
    .select({ sum: sql<number>`coalesce(-sum(${tripCardEntries.amount}), 0)::int` })
    .from(tripCardEntries)
    .where(
      and(
        inArray(tripCardEntries.tripCardId, lineage),
        eq(tripCardEntries.byCustomerId, customerId),
        eq(tripCardEntries.kind, 'fare'),
        gte(tripCardEntries.occurredAt, since),
      ),
    );
  const [waiting] = await tx
    .select({ sum: sql<number>`coalesce(sum(${tripCardReservations.amount}), 0)::int` })
    .from(tripCardReservations)
    .where(
      and(
        eq(tripCardReservations.tripCardId, cardId),
        eq(tripCardReservations.byCustomerId, customerId),
        eq(tripCardReservations.status, 'held'),
      ),
    );
  return Math.max(0, dailyLimit - (spent?.sum ?? 0) - (waiting?.sum ?? 0));
}
