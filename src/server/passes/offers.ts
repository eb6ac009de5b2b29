import { and, eq, or, sql } from 'drizzle-orm';
import type { PassOffer } from '#contract/passes/schemas.ts';
import { countCovered, sumCoverage } from '#domain/passes/coverage.ts';
import { isTripCardActionAllowed } from '#domain/trip-cards/trip-card-rights.ts';
import { describeLine } from '#sentences/order-lines.ts';
import { textsIn } from '#server/core/texts.ts';
import { readSoldNames } from '#server/database/sold-names.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orders } from '../database/schema/sales.ts';
import { tripCardReservations, tripCardShares, tripCards } from '../database/schema/trip-cards.ts';
import { notFound } from '../http/api-error.ts';
import { planPassPart, readBookedLines } from '../orders/buy/pass-part.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { availableOn, type HeldCard, isExpired, isPaidPass, isSharedWith } from '../trip-cards/queries.ts';
import { acceptShares } from '../trip-cards/shares.ts';

/**
 * The passes with which a customer can pay for people or the vehicle of an unpaid order, the one that pays most first.
 * Accepts pending shares.
 * @throws {ApiError} not_found
 */
export async function listPassOffers(
  context: Pick<Context, 'db' | 'clock'>,
  { orderId, customerId, language }: { orderId: string; customerId: string; language: string },
): Promise<PassOffer[]> {
  const { db } = context;
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw notFound();
  if (!isUnpaid(order)) return [];
  await acceptShares(context, customerId);
  const passes = await listUsablePasses(context, customerId);
  const names = await readSoldNames(db);
  const booked = await readBookedLines(db, orderId);
  const lines = booked.lines.map((line) => names.translateLine(line, language));
  const t = textsIn(language);
  const offers: PassOffer[] = [];
  for (const held of passes) {
    const own = await withOwnReservation(db, order, held);
    const coverage = await planPassPart(db, context, {
      ...{ order, held: own, customerId },
      limit: availableOn(own.card),
    });
    if (coverage.length === 0) continue;
    offers.push({
      trip_card_id: held.card.id,
      name: held.card.name,
      last_four: held.card.number.slice(-4),
      available: availableOn(own.card),
      trips: coverage.length,
      covered: countCovered(lines, order.currency, coverage).map(({ count, ...line }) => ({
        description: describeLine(t, line),
        count,
      })),
      amount: sumCoverage(coverage),
    });
  }
  return offers.toSorted((a, b) => b.amount - a.amount);
}

async function listUsablePasses(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<HeldCard[]> {
  const rows = await db
    .select({ card: tripCards, share: tripCardShares })
    .from(tripCards)
    .leftJoin(tripCardShares, isSharedWith(customerId))
    .where(
      and(
        isPaidPass,
        eq(tripCards.status, 'active'),
        or(eq(tripCards.customerId, customerId), sql`${tripCardShares.id} is not null`),
      ),
    );
  return rows.flatMap(({ card, share }): HeldCard[] => {
    const role = card.customerId === customerId ? 'owner' : share?.role;
    const maySpend = role !== undefined && isTripCardActionAllowed(role, 'spend');
    if (!maySpend || isExpired(card, clock.now())) return [];
    return [{ card, role, dailyLimit: role === 'owner' ? null : (share?.dailyLimit ?? null) }];
  });
}

/** The trips that an unfinished payment of the order has reserved can pay for it. */
async function withOwnReservation(db: Database, { id }: OrderRow, held: HeldCard): Promise<HeldCard> {
  const { card } = held;
  const [own] = await db
    .select({ amount: tripCardReservations.amount })
    .from(tripCardReservations)
    .where(
      and(
        eq(tripCardReservations.orderId, id),
        eq(tripCardReservations.tripCardId, card.id),
        eq(tripCardReservations.status, 'held'),
      ),
    );
  return own ? { ...held, card: { ...card, held: card.held - own.amount } } : held;
}
