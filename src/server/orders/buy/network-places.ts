import { and, eq, gt, ne, sql } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import type { Places } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import { createInTurn } from '#server/core/in-turn.ts';
import { perDatabase } from '#server/database/per-database.ts';
import { holdItems, holds } from '#server/database/schema/holds.ts';
import { ApiError } from '#server/http/api-error.ts';
import { findSailings } from '#server/sailings/queries.ts';

/** Unpaid places that one network may hold: a person or a bicycle is one, a vehicle one for each meter. */
const MAX_PLACES = 240;
const CM_PER_PLACE = 100;

/** The least that a network may hold of a sailing, in people, bicycles and centimeters; of larger ones it is half. */
const MIN_PER_SAILING: Readonly<Record<CapacityResource, number>> = {
  passenger: 24,
  bicycle: 24,
  lane_cm: 7200,
  tall_lane_cm: 7200,
};

/** `network`: keyed hash of the buyer's network; null: not limited. `places`: all places of the hold. */
type RequestedHold = { network: string | null; holdId: string; places: readonly Places[]; now: Date };

/** A network's holds are checked and taken one after the other, so that parallel requests cannot exceed its limit. */
const inTurn = perDatabase(createInTurn);

/**
 * Takes places for a hold if its network then holds few enough that are not paid. Paid places do not count, so that a
 * terminal whose passengers share one network sells whole boats. A network's first hold is always allowed.
 * @throws {ApiError} rate_limited
 */
export async function takeWithinNetworkLimit<Result>(
  context: Pick<Context, 'db'>,
  requestedHold: RequestedHold,
  take: () => Promise<Result>,
): Promise<Result> {
  const { network } = requestedHold;
  if (network === null) return take();
  return inTurn(context.db)(network, async () => {
    if (await isOverLimit(context, { ...requestedHold, network })) throw createRefusal();
    return take();
  });
}

async function isOverLimit({ db }: Pick<Context, 'db'>, requestedHold: RequestedHold & { network: string }) {
  const held = await db
    .select({
      sailingId: holdItems.sailingId,
      resource: holdItems.resource,
      amount: sql<number>`sum(${holdItems.amount})::int`,
    })
    .from(holds)
    .innerJoin(holdItems, eq(holdItems.holdId, holds.id))
    .where(
      and(
        eq(holds.network, requestedHold.network),
        // A literal, so that the one plan of the statement can use the index of active holds.
        sql`${holds.status} = 'active'`,
        gt(holds.expiresAt, requestedHold.now),
        ne(holds.id, requestedHold.holdId),
      ),
    )
    .groupBy(holdItems.sailingId, holdItems.resource);
  if (held.length === 0) return false;
  if (countPlaces(held) + countPlaces(requestedHold.places) > MAX_PLACES) return true;
  const large = requestedHold.places.flatMap(({ sailingId, resource, amount }) => {
    const before = held.find((item) => item.sailingId === sailingId && item.resource === resource);
    const total = amount + (before?.amount ?? 0);
    return before && total > MIN_PER_SAILING[resource] ? [{ sailingId, resource, total }] : [];
  });
  const sailings = await findSailings(
    db,
    large.map(({ sailingId }) => sailingId),
  );
  return large.some(({ sailingId, resource, total }) => {
    const capacity = sailings.find(({ id }) => id === sailingId)?.capacity ?? [];
    return total > (capacity.find((item) => item.resource === resource)?.sellableOnline ?? 0) / 2;
  });
}

function countPlaces(items: readonly Pick<Places, 'resource' | 'amount'>[]): number {
  const isLength = (resource: CapacityResource) => resource === 'lane_cm' || resource === 'tall_lane_cm';
  return items.reduce(
    (sum, { resource, amount }) => sum + (isLength(resource) ? Math.ceil(amount / CM_PER_PLACE) : amount),
    0,
  );
}

function createRefusal(): ApiError {
  return new ApiError('rate_limited', {
    retryAfter: 60,
    reason: 'too_many_unpaid_places',
  });
}
