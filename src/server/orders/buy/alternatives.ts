import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import { getLaneNeeded } from '#domain/fares/capacity.ts';
import { countFreeOnline } from '#domain/sailings/availability.ts';
import type { Places } from '#server/capacity/places.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import type { Context } from '#server/context.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { presentSailingTimes } from '#server/sailings/presenter.ts';
import { findSailings, loadCatalogue, type SailingRecord } from '#server/sailings/queries.ts';
import { requireOnSale, type Sale } from './pricing.ts';

/** How many later sailings are checked: two days of a busy route. */
const LOOK_AHEAD = 40;
const SHOWN = 3;

export type Alternative = {
  sailing_id: string;
  departs_at: string;
  departs_local: string;
  vessel_name: string;
};

/**
 * The resource and sailing that are short of places, and the next three sailings of that route with enough.
 * @throws {ApiError} sales_closed or sailing_canceled, if that is the reason
 */
export async function findAlternatives(
  context: Context,
  sale: Sale,
  salePoint: SalePoint = 'online',
): Promise<{ resource: CapacityResource; sailingId: string; alternatives: Alternative[] }> {
  const now = context.clock.now();
  const current = await findSailings(
    context.db,
    sale.sailings.map((sailing) => sailing.id),
  );
  if (salePoint === 'online') requireOnSale(current, now);
  const short = sale.places.find((place) => {
    const sailing = current.find((each) => each.id === place.sailingId);
    return !sailing || !suffices(sailing, place);
  });
  const missingPlaces = short ?? sale.places[0];
  const full = sale.sailings.find((each) => each.id === missingPlaces?.sailingId);
  if (!missingPlaces || !full) throw new Error('A sale without places cannot be sold out.');

  const later = await context.db
    .select({ id: sailings.id })
    .from(sailings)
    .where(
      and(
        eq(sailings.routeId, full.routeId),
        gt(sailings.departsAt, full.departsAt),
        gt(sailings.salesCloseAt, now),
        isNull(sailings.checkInClosedAt),
        eq(sailings.status, 'scheduled'),
        eq(sailings.withdrawn, false),
      ),
    )
    .orderBy(asc(sailings.departsAt))
    .limit(LOOK_AHEAD);
  const records = await findSailings(
    context.db,
    later.map(({ id }) => id),
  );
  const { vehicleTypes } = await loadCatalogue(context.db);
  const { vehicle } = sale.request;
  const type = vehicleTypes.find((each) => each.code === vehicle?.type);
  const needs = sale.places.filter((place) => place.sailingId === full.id);
  const fits = (sailing: SailingRecord) =>
    needs.every((place) => {
      const isLane = place.resource === 'lane_cm' || place.resource === 'tall_lane_cm';
      return suffices(
        sailing,
        isLane && vehicle && type ? getLaneNeeded(vehicle, type, sailing.vessel) : place,
      );
    });
  const alternatives = records
    .filter(fits)
    .toSorted((a, b) => a.departsAt.getTime() - b.departsAt.getTime())
    .slice(0, SHOWN)
    .map((sailing) => presentAlternative(sailing, vehicle !== null));
  return { resource: missingPlaces.resource, sailingId: full.id, alternatives };
}

function suffices(
  { capacity }: SailingRecord,
  { resource, amount }: Pick<Places, 'resource' | 'amount'>,
): boolean {
  const room = capacity.find((each) => each.resource === resource);
  return room !== undefined && amount <= countFreeOnline(room);
}

function presentAlternative(sailing: SailingRecord, hasVehicle: boolean): Alternative {
  const times = presentSailingTimes(sailing, { hasVehicle });
  return {
    sailing_id: sailing.id,
    departs_at: times.departs_at,
    departs_local: times.departs_local,
    vessel_name: sailing.vessel.name,
  };
}
