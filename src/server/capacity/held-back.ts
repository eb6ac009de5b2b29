import { asc, desc, inArray, type SQL, sql } from 'drizzle-orm';
import type { HeldBack } from '#contract/desk/held-back/schemas.ts';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import type { Database } from '../database/database.ts';
import { type HeldBackRow, heldBackPlaces } from '../database/schema/desk.ts';
import { COUNT_SELLABLE_AT_RAMP } from './sale-conditions.ts';

/** Locks places held back before the capacity that they are part of. Those that have ended meanwhile are left out. */
export async function lockHeldBackPlaces(tx: Database, ids: readonly string[]): Promise<HeldBackRow[]> {
  return tx
    .select()
    .from(heldBackPlaces)
    .where(inArray(heldBackPlaces.id, [...ids]))
    .orderBy(asc(heldBackPlaces.id))
    .for('no key update');
}

/**
 * How much of a capacity row (`c`) may be taken by a row of `requested` (`w`) for whom places are held back, which the
 * transaction has locked: also those places.
 */
export function countSellableFrom(ids: readonly string[]): SQL {
  const own = sql`coalesce((
    select sum(p.amount)::int from held_back_places b
    cross join lateral jsonb_to_recordset(b.places) as p (resource text, amount int)
    where ${inArray(sql`b.id`, [...ids])} and b.sailing_id = w.sailing_id and p.resource = w.resource), 0)`;
  return sql`${COUNT_SELLABLE_AT_RAMP} + ${own}`;
}

/** Places held back on the stretch with which a boat leaves a port, the latest first. */
export async function listHeldBackPlaces(
  db: Database,
  { sailingIds }: { sailingIds: readonly string[] },
): Promise<HeldBackRow[]> {
  const ofStretch = sql`
    select other.id from sailings s
    join sailings other on other.voyage_id = s.voyage_id
      and other.first_stop <= s.first_stop and other.last_stop > s.first_stop
    where s.id = ${sailingIds[0] ?? ''}`;
  return db
    .select()
    .from(heldBackPlaces)
    .where(sql`${heldBackPlaces.sailingId} in (${ofStretch})`)
    .orderBy(desc(heldBackPlaces.insertedAt), heldBackPlaces.id);
}

/** As staff see it. */
export function presentHeldBack({ id, places, reason, insertedAt }: HeldBackRow): HeldBack {
  const countOf = (resource: CapacityResource) =>
    places.find((place) => place.resource === resource)?.amount ?? 0;
  return {
    ...{ id, reason, at: insertedAt.toISOString() },
    places: {
      passenger: countOf('passenger'),
      lane_cm: countOf('lane_cm'),
      tall_lane_cm: countOf('tall_lane_cm'),
      bicycle: countOf('bicycle'),
    },
  };
}
