import { and, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { ShareRole } from '#contract/trip-cards/schemas.ts';
import { parseTripCardCode } from '#domain/trip-cards/trip-card-code.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { isTripCardActionAllowed, type TripCardAction } from '#domain/trip-cards/trip-card-rights.ts';
import { type Database, queryRows } from '../database/database.ts';
import { type topUps, tripCardShares, tripCards } from '../database/schema/trip-cards.ts';
import { ApiError, notFound } from '../http/api-error.ts';

export type TripCardRow = typeof tripCards.$inferSelect;
export type TopUpRow = typeof topUps.$inferSelect;
export type ShareRow = typeof tripCardShares.$inferSelect;
/** A card as a customer's request names it. */
export type CardRequest = { customerId: string; cardId: string };
/** A card that a customer owns, or that is shared with them. */
export type HeldCard = { card: TripCardRow; role: 'owner' | ShareRole; dailyLimit: number | null };

/**
 * A card the customer may do this with.
 * @throws {ApiError} not_found, also where only the customer's role forbids it, so that roles cannot be probed
 */
export async function requireHeldCard(
  db: Database,
  { customerId, cardId }: CardRequest,
  action: TripCardAction | 'own' | 'see',
): Promise<HeldCard> {
  const [match] = await db
    .select({ card: tripCards, share: tripCardShares })
    .from(tripCards)
    .leftJoin(tripCardShares, isSharedWith(customerId))
    .where(eq(tripCards.id, cardId));
  if (!match) throw notFound();
  const role = match.card.customerId === customerId ? 'owner' : match.share?.role;
  if (role === undefined || (action !== 'see' && !isTripCardActionAllowed(role, action))) throw notFound();
  return { card: match.card, role, dailyLimit: role === 'owner' ? null : (match.share?.dailyLimit ?? null) };
}

/** Selects the share by which a customer may use another customer's card. */
export function isSharedWith(customerId: string): SQL | undefined {
  return and(
    eq(tripCardShares.tripCardId, tripCards.id),
    eq(tripCardShares.customerId, customerId),
    eq(tripCardShares.status, 'active'),
  );
}

/** The card with its row locked. */
export async function lockCard(tx: Database, cardId: string): Promise<TripCardRow> {
  const [card] = await tx.select().from(tripCards).where(eq(tripCards.id, cardId)).for('no key update');
  if (!card) throw notFound();
  return card;
}

/**
 * The customer's own card, locked.
 * @throws {ApiError} not_found, also for another customer's card
 */
export async function lockOwnCard(tx: Database, { customerId, cardId }: CardRequest): Promise<TripCardRow> {
  const card = await lockCard(tx, cardId);
  if (card.customerId !== customerId) throw notFound();
  return card;
}

/** The card with this number, if there is one. */
export async function findCardByNumber(db: Database, number: string): Promise<TripCardRow | null> {
  const [card] = await db.select().from(tripCards).where(eq(tripCards.number, number));
  return card ?? null;
}

/** The card of a typed number or of a code, whose signature is not verified here; null if there is none. */
export async function findShownCard(db: Database, text: string): Promise<TripCardRow | null> {
  const number = parseTripCardCode(text)?.fields.number ?? parseTripCardNumber(text);
  return number === null ? null : findCardByNumber(db, number);
}

/** The card itself, or the one that replaced it when it was lost; locked. */
export async function lockLiveCard(tx: Database, cardId: string): Promise<TripCardRow> {
  const card = await lockCard(tx, cardId);
  if (card.status !== 'lost' || card.replacedByCardId === null) return card;
  return lockLiveCard(tx, card.replacedByCardId);
}

/** The card itself, or the one that replaced it when it was lost. */
export async function findLiveCard(db: Database, card: TripCardRow): Promise<TripCardRow> {
  if (card.status !== 'lost' || card.replacedByCardId === null) return card;
  const [next] = await db.select().from(tripCards).where(eq(tripCards.id, card.replacedByCardId));
  return next ? findLiveCard(db, next) : card;
}

/** The card and all cards it replaced. Limits carry over to a replacement card. */
export async function listLineage(db: Database, cardId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
      with recursive lineage (id, replaces) as (
        select id, replaces_card_id from trip_cards where id = ${cardId}
        union all
        select c.id, c.replaces_card_id from trip_cards c join lineage on c.id = lineage.replaces
      )
      select id from lineage
    `,
  );
  return rows.map(({ id }) => id);
}

/** The balance minus the reservations for card payments in progress. */
export function availableOn({ balance, held }: Pick<TripCardRow, 'balance' | 'held'>): number {
  return balance - held;
}

/** @throws {ApiError} trip_card_frozen, trip_card_lost */
export function requireActive(card: TripCardRow): void {
  if (card.status === 'frozen') throw new ApiError('trip_card_frozen');
  requireNotLost(card);
}

/** @throws {ApiError} trip_card_lost */
export function requireNotLost(card: TripCardRow): void {
  if (card.status === 'lost') throw new ApiError('trip_card_lost');
}

/** @throws {ApiError} pass_expired */
export function requireNotExpired({ expiresAt }: Pick<TripCardRow, 'expiresAt'>, now: Date): void {
  if (isExpired({ expiresAt }, now)) throw new ApiError('pass_expired');
}

/** Whether the card is a pass whose last day is over. */
export function isExpired({ expiresAt }: Pick<TripCardRow, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A pass is a card of the customer once it was paid. */
export const isPaidPass = and(eq(tripCards.unit, 'trips'), gt(tripCards.entryCount, 0));

/** Current shares and invitations, oldest first. */
export async function listShares(db: Database, cardIds: readonly string[]): Promise<ShareRow[]> {
  return db
    .select()
    .from(tripCardShares)
    .where(and(inArray(tripCardShares.tripCardId, [...cardIds]), ne(tripCardShares.status, 'revoked')))
    .orderBy(tripCardShares.insertedAt, tripCardShares.id);
}
