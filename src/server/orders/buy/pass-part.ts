import { and, asc, eq } from 'drizzle-orm';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { type PassTrip, planCoverage } from '#domain/passes/coverage.ts';
import { findEndAfterUse } from '#domain/passes/validity.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { type OrderRow, orderLines } from '#server/database/schema/sales.ts';
import { routes, sailings } from '#server/database/schema/timetable.ts';
import { ApiError } from '#server/http/api-error.ts';
import { availableOn, type HeldCard, type TripCardRow } from '#server/trip-cards/queries.ts';
import { sumLeftOfDay } from '#server/trip-cards/spend.ts';

type PricedOrder = Pick<OrderRow, 'id' | 'total' | 'currency'>;

/**
 * What trips of a pass would pay of an order: nothing for a card with money.
 * @param input limit: the most trips to use
 */
export async function planPassPart(
  db: Database,
  context: Pick<Context, 'clock'>,
  { order, held, customerId, limit }: PassPartInput,
): Promise<PassTrip[]> {
  const { card, dailyLimit } = held;
  if (card.pass === null || card.currency !== order.currency) return [];
  const left =
    dailyLimit === null
      ? limit
      : Math.min(limit, await sumLeftOfDay(db, context, { cardId: card.id, customerId, dailyLimit }));
  return planCoverage({
    ...(await readBookedLines(db, order.id)),
    total: order.total,
    currency: order.currency,
    terms: card.pass,
    available: Math.min(left, availableOn(card)),
    expiresAt: await findEnd(db, context, { ...card, pass: card.pass }),
  });
}

type PassPartInput = { order: PricedOrder; held: HeldCard; customerId: string; limit: number };

/**
 * The same with exactly the trips that the customer chose.
 * @throws {ApiError} invalid_input without a number, or for one that cannot pay; insufficient_balance
 */
export async function requirePassPart(
  db: Database,
  context: Pick<Context, 'clock'>,
  { trips, ...input }: Omit<PassPartInput, 'limit'> & { trips: number | null },
): Promise<PassTrip[]> {
  if (trips === null) throw new ApiError('invalid_input', { field: 'trips' });
  const coverage = await planPassPart(db, context, { ...input, limit: trips });
  if (coverage.length === trips) return coverage;
  const available = availableOn(input.held.card);
  if (available < trips) throw new ApiError('insufficient_balance', { details: { balance: available } });
  throw new ApiError('invalid_input', { field: 'trips' });
}

/** The end of the pass if trips of it are used now, in milliseconds since 1970. */
async function findEnd(
  db: Database,
  { clock }: Pick<Context, 'clock'>,
  { pass, expiresAt }: TripCardRow & { pass: PassTerms },
): Promise<number | null> {
  const { timeZone: zone } = await getOperator(db);
  const before = expiresAt?.getTime() ?? null;
  return findEndAfterUse(pass, { before, now: clock.now().getTime(), zone });
}

/** The lines of an order that are not canceled, and the boats they are on. */
export async function readBookedLines(db: Database, orderId: string) {
  const rows = await db
    .select({ line: orderLines, route: routes.gtfsRouteId, departsAt: sailings.departsAt })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')))
    .orderBy(asc(orderLines.position));
  return {
    lines: rows.map(({ line }) => line),
    legs: rows.map(({ line: { leg }, route, departsAt }) => ({
      leg,
      line: route,
      departsAt: departsAt.getTime(),
    })),
  };
}
