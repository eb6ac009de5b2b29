import { eq } from 'drizzle-orm';
import type { ReturnBoats } from '#contract/gate/sales/schemas.ts';
import { getCapacityNeeded } from '#domain/fares/capacity.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { getDayPeriod, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { queueEntries } from '#server/database/schema/gate.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { notFound } from '#server/http/api-error.ts';
import { presentSailingTimes, presentStatus } from '#server/sailings/presenter.ts';
import {
  type CatalogueRecord,
  findTimetable,
  listSailings,
  loadCatalogue,
  type SailingRecord,
  type TimetableRecord,
} from '#server/sailings/queries.ts';
import type { QueueEntryRow } from '../queue/leave-behind.ts';

type Input = { entryId: string; day: string | null; language: string };

/**
 * The boats of a day by which a waiting party may return, until they depart.
 * @param input day: at the port of the return; null: that of the arrival
 * @throws {ApiError} not_found
 */
export async function listReturns(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { entryId, day, language }: Input,
): Promise<ReturnBoats> {
  const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.id, entryId));
  if (!entry) throw notFound();
  const [outward] = await findTimetable(db, [entry.sailingId]);
  if (!outward) throw notFound();
  const catalogue = await loadCatalogue(db);
  const zone = outward.destination.timeZone;
  const arrivesAt = getExpectedTimes(outward).arrivesAt;
  const firstDay = getLocalDay(arrivesAt, zone);
  const shown = day ?? firstDay;
  const routeIds = catalogue.routes.filter((route) => isReturn(route, outward.route)).map(({ id }) => id);
  const boats = await listSailings(db, routeIds, getDayPeriod(shown, zone));
  const now = clock.now();
  const hasVehicle = entry.party.vehicle !== null;
  const { windowUntil } = catalogue.feed;
  return {
    ...{ day: shown, first_day: firstDay, last_day: windowUntil > firstDay ? windowUntil : firstDay },
    boats: boats
      .filter((boat) => boat.departsAt >= outward.arrivesAt && canTake(boat, entry, catalogue))
      .map((boat) => ({
        sailing_id: boat.id,
        vessel_name: translateSailing(boat, language).vessel.name,
        status: presentStatus(boat, now, { hasVehicle }),
        delay_minutes: boat.delayMinutes,
        ...presentSailingTimes(boat, { hasVehicle }),
      })),
    as_of: now.toISOString(),
  };
}

/** Whether a sailing leads back from where another one ends. */
export function isReturn(
  route: Pick<TimetableRecord['route'], 'originPortId' | 'destinationPortId'>,
  outward: Pick<TimetableRecord['route'], 'originPortId' | 'destinationPortId'>,
): boolean {
  return route.originPortId === outward.destinationPortId && route.destinationPortId === outward.originPortId;
}

/** With what is held back, of which the sale asks for whom it is. */
function canTake(boat: SailingRecord, { party }: QueueEntryRow, { vehicleTypes }: CatalogueRecord): boolean {
  if (boat.status !== 'scheduled' || boat.withdrawn || boat.departedAt !== null) return false;
  const type = vehicleTypes.find(({ code }) => code === party.vehicle?.type) ?? null;
  return getCapacityNeeded(party, type, boat.vessel).every(({ resource, amount }) => {
    const room = boat.capacity.find((each) => each.resource === resource);
    return room !== undefined && amount <= room.total - room.held - room.sold;
  });
}
