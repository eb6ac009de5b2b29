import { eq, gt, sql } from 'drizzle-orm';
import type { CapacityItem, CapacityResource } from '#domain/fares/capacity.ts';
import { getClockTime, getLocalDay } from '#domain/time/port-time.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import { changePlaces, IS_TAKEN, type Places, requestedRows, takeAllOrNone } from '../capacity/places.ts';
import { COUNT_SELLABLE, isAhead } from '../capacity/sale-conditions.ts';
import { auditHeldBack } from '../capacity/sell-held-back.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';
import { heldBackPlaces } from '../database/schema/desk.ts';
import { ports, RESOURCES, routes, sailings } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound, type Problem } from '../http/api-error.ts';

type Dependencies = Pick<Context, 'db' | 'clock'>;

/** Of one resource on a sailing: what is held back, and what is left to be sold online. */
export type SellableState = { resource: CapacityResource; heldBack: number; freeOnline: number };

export type HoldBackInput = {
  sailingId: string;
  places: readonly CapacityItem[];
  reason: string;
  actor: AuditActor;
};

/**
 * Holds places of a sailing back from sale online, on each stretch that it covers. The desk and the ramp sell them.
 * @returns the id that ends it, and the state of the resources
 * @throws {ApiError} `not_found`; `boat_change_refused` if it is canceled, on hold or has departed; `few_places_free`
 */
export async function holdBackPlaces(
  { db, clock }: Dependencies,
  { sailingId, places, reason, actor }: HoldBackInput,
): Promise<{ id: string; resources: SellableState[] }> {
  return inTransaction(db, async (tx) => {
    const requested = places.map((place) => ({ ...place, sailingId }));
    if (!(await isOpen(tx, clock.now(), sailingId))) throw new ApiError('boat_change_refused');
    if (!(await takeFromSale(tx, requested, clock.now()))) {
      throw describeShortage(requested, await readState(tx, sailingId));
    }
    const row = { id: newId('hbk'), sailingId, places: [...places], reason, insertedAt: clock.now() };
    await tx.insert(heldBackPlaces).values(row);
    const resources = await readState(tx, sailingId, places);
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'places_held_back', objectKind: 'sailing', objectId: sailingId, reason },
        ...{ before: {}, after: auditHeldBack(row.places) },
      },
    );
    return { id: row.id, resources };
  });
}

/**
 * Puts places that were held back on sale online again.
 * @throws {ApiError} `not_found` if it has ended already
 */
export async function releaseHeldBackPlaces(
  { db, clock }: Dependencies,
  { id, actor }: { id: string; actor: AuditActor },
): Promise<SellableState[]> {
  return inTransaction(db, async (tx) => {
    const [row] = await tx.delete(heldBackPlaces).where(eq(heldBackPlaces.id, id)).returning();
    if (!row) throw notFound();
    const { sailingId, places } = row;
    const amounts = requestedRows(places.map((place) => ({ ...place, sailingId })));
    await tx.execute(changePlaces(sql`(${amounts})`, sql`held_back = c.held_back - g.amount`));
    const resources = await readState(tx, sailingId, places);
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'held_back_places_released', objectKind: 'sailing', objectId: sailingId },
        ...{ reason: null, before: { ...auditHeldBack(row.places), held_back_for: row.reason }, after: {} },
      },
    );
    return resources;
  });
}

/** Places held back on sailings that have not departed, for the operator. */
export async function tabulateHeldBackPlaces({ db, clock }: Dependencies): Promise<Table> {
  const rows = await db
    .select({ row: heldBackPlaces, departsAt: sailings.departsAt, port: ports })
    .from(heldBackPlaces)
    .innerJoin(sailings, eq(sailings.id, heldBackPlaces.sailingId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .where(gt(sailings.departsAt, clock.now()))
    .orderBy(sailings.departsAt, heldBackPlaces.id);
  return {
    columns: ['id', 'day', 'departs', 'from', ...RESOURCES, 'reason'],
    rows: rows.map(({ row: { id, places, reason }, departsAt, port }) => [
      ...[id, getLocalDay(departsAt.getTime(), port.timeZone)],
      ...[getClockTime(departsAt.getTime(), port.timeZone), port.code],
      ...RESOURCES.map((resource) => places.find((place) => place.resource === resource)?.amount ?? 0),
      reason,
    ]),
  };
}

/** What was done, for the operator. */
export function describeSellable(resources: readonly SellableState[]): string {
  return resources
    .map(
      ({ resource, heldBack, freeOnline }) =>
        `${resource}: ${heldBack} held back, ${freeOnline} free online.`,
    )
    .join('\n');
}

/** @throws {ApiError} not_found */
async function isOpen(tx: Database, now: Date, sailingId: string): Promise<boolean> {
  const [sailing] = await queryRows<{ isOpen: boolean }>(
    tx,
    sql`select ${isAhead(now)} as "isOpen" from sailings s where s.id = ${sailingId}`,
  );
  if (!sailing) throw notFound();
  return sailing.isOpen;
}

/** Like a buyer's hold, so that nothing is held back that someone else has. The capacity stays locked. */
async function takeFromSale(tx: Database, places: readonly Places[], now: Date): Promise<boolean> {
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with requested as materialized (${requestedRows(places)}),
      ${takeAllOrNone({ column: 'held_back', isAllowed: isAhead(now) })}
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}

/** Of the tightest stretch. */
async function readState(
  tx: Database,
  sailingId: string,
  only?: readonly CapacityItem[],
): Promise<SellableState[]> {
  const rows = await queryRows<SellableState>(
    tx,
    sql`
    select c.resource, max(c.held_back) as "heldBack",
      greatest(0, min(${COUNT_SELLABLE} - c.held - c.sold)) as "freeOnline"
    from ${sailings} s
    join voyage_capacity c on c.voyage_id = s.voyage_id and c.stretch >= s.first_stop and c.stretch < s.last_stop
    join voyages voy on voy.id = c.voyage_id
    join vessels v on v.id = voy.vessel_id
    where s.id = ${sailingId} group by c.resource`,
  );
  return only ? rows.filter(({ resource }) => only.some((item) => item.resource === resource)) : rows;
}

/** One problem for each resource of which too little is free. */
function describeShortage(requested: readonly CapacityItem[], state: readonly SellableState[]): ApiError {
  const [first, ...others] = requested.flatMap(({ resource, amount }): Problem[] => {
    const free = state.find((each) => each.resource === resource)?.freeOnline ?? 0;
    if (amount <= free) return [];
    const isLane = resource === 'lane_cm' || resource === 'tall_lane_cm';
    return [
      {
        ...{ code: 'few_places_free', field: resource, details: { resource, free } },
        ...(isLane
          ? { reason: 'short_lane_free', params: { free_cm: free } }
          : { reason: 'few_free', params: { free } }),
      },
    ];
  });
  const { code: _, ...details } = first ?? {};
  return new ApiError('few_places_free', details, others);
}
