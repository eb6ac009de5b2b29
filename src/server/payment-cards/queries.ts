import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import { type PaymentCard, PaymentCardSchema } from '#contract/payment-cards/schemas.ts';
import { checkCardExpiry, countMonths } from '#domain/payments/card-expiry.ts';
import type { Context } from '../context.ts';
import { present } from '../core/present.ts';
import type { Database } from '../database/database.ts';
import { cardHolders, paymentCards } from '../database/schema/cards.ts';
import { notFound } from '../http/api-error.ts';
import { type ListQuery, pageMeta } from '../http/list-query.ts';
import { operatorDay } from '../sailings/operator.ts';

export type CardRow = typeof paymentCards.$inferSelect;
/** Identifies a card that must be the customer's own. */
export type OwnCard = { customerId: string; cardId: string };

/** A card that other features may charge. */
export type SavedCard = {
  id: string;
  /** The provider's PaymentMethod. */
  providerReference: string;
  /** The provider's Customer it belongs to. */
  providerCustomerId: string;
  network: string;
  lastFour: string;
  isExpired: boolean;
};

/** A customer's own card, expired or not; null if it was deleted or is another customer's. */
export async function findSavedCard(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, cardId }: OwnCard,
): Promise<SavedCard | null> {
  const [match] = await db
    .select({ card: paymentCards, providerCustomerId: cardHolders.providerReference })
    .from(paymentCards)
    .innerJoin(cardHolders, eq(cardHolders.customerId, paymentCards.customerId))
    .where(and(eq(paymentCards.id, cardId), isActiveOf(customerId)));
  if (!match) return null;
  const { card, providerCustomerId } = match;
  const { id, providerReference, network, lastFour } = card;
  const { isExpired } = checkStanding(card, await operatorDay({ db, clock }));
  return { id, providerReference, providerCustomerId, network, lastFour, isExpired };
}

/** The primary card on a day: the chosen one, or the newest unexpired one once the chosen one has expired. */
export async function findPrimaryCard(
  db: Database,
  { customerId, today }: { customerId: string; today: string },
): Promise<CardRow | null> {
  const [primary] = await db
    .select()
    .from(paymentCards)
    .where(and(isActiveOf(customerId), isUnexpired(today)))
    .orderBy(desc(paymentCards.isPrimary), desc(paymentCards.insertedAt), desc(paymentCards.id))
    .limit(1);
  return primary ?? null;
}

/** One page of a customer's cards, expired ones included: the primary card first, then the newest. */
async function findCardPage(
  db: Database,
  { customerId, list, primaryId }: { customerId: string; list: ListQuery; primaryId: string | null },
): Promise<{ cards: CardRow[]; meta: PageMeta }> {
  const own = isActiveOf(customerId);
  const [total] = await db.select({ count: count() }).from(paymentCards).where(own);
  const cards = await db
    .select()
    .from(paymentCards)
    .where(own)
    .orderBy(
      sql`${paymentCards.id} = ${primaryId ?? ''} desc`,
      desc(paymentCards.insertedAt),
      desc(paymentCards.id),
    )
    .limit(list.pageSize)
    .offset(list.offset);
  return { cards, meta: pageMeta(list, total?.count ?? 0) };
}

export async function findCard(db: Database, { customerId, cardId }: OwnCard): Promise<CardRow | null> {
  const [card] = await db
    .select()
    .from(paymentCards)
    .where(and(eq(paymentCards.id, cardId), isActiveOf(customerId)));
  return card ?? null;
}

export async function countCards(db: Database, customerId: string): Promise<number> {
  const [total] = await db.select({ count: count() }).from(paymentCards).where(isActiveOf(customerId));
  return total?.count ?? 0;
}

export function checkStanding(
  { expMonth, expYear }: CardRow,
  today: string,
): ReturnType<typeof checkCardExpiry> {
  return checkCardExpiry({ month: expMonth, year: expYear }, today);
}

/** Through the last day of its month. */
export function isUnexpired(today: string): SQL {
  return sql`${paymentCards.expYear} * 12 + ${paymentCards.expMonth} >= ${countMonths(today)}::int`;
}

export function isActiveOf(customerId: string): SQL | undefined {
  return and(eq(paymentCards.customerId, customerId), eq(paymentCards.status, 'active'));
}

/**
 * @param today the operator's day
 * @param primaryId which card counts as primary on that day
 */
export function presentCard(
  card: CardRow,
  { today, primaryId }: { today: string; primaryId: string | null },
): PaymentCard {
  const { expDate, isExpired, expiresSoon } = checkStanding(card, today);
  return present(PaymentCardSchema, {
    ...card,
    primary: card.id === primaryId,
    status: card.status === 'removed' ? 'removed' : isExpired ? 'expired' : 'active',
    expDate,
    expired: isExpired,
    expiresSoon,
  });
}

type ReadContext = Pick<Context, 'db' | 'clock'>;

/** @throws {ApiError} not_found, also for a deleted card and another customer's */
export async function readOwnCard(
  context: ReadContext,
  { customerId, cardId }: OwnCard,
): Promise<PaymentCard> {
  const today = await operatorDay(context);
  const card = await findCard(context.db, { customerId, cardId });
  if (!card) throw notFound();
  const primary = await findPrimaryCard(context.db, { customerId, today });
  return presentCard(card, { today, primaryId: primary?.id ?? null });
}

/** null if the customer has no unexpired card. */
export async function readPrimaryCard(context: ReadContext, customerId: string): Promise<PaymentCard | null> {
  const today = await operatorDay(context);
  const primary = await findPrimaryCard(context.db, { customerId, today });
  return primary ? presentCard(primary, { today, primaryId: primary.id }) : null;
}

export async function listCards(
  context: ReadContext,
  { customerId, list }: { customerId: string; list: ListQuery },
): Promise<{ cards: PaymentCard[]; meta: PageMeta }> {
  const today = await operatorDay(context);
  const primaryId = (await findPrimaryCard(context.db, { customerId, today }))?.id ?? null;
  const { cards, meta } = await findCardPage(context.db, { customerId, list, primaryId });
  return { cards: cards.map((card) => presentCard(card, { today, primaryId })), meta };
}
