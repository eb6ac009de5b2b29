import { and, eq, exists, gte, lt, lte } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getClockTime, getDayPeriod, getLocalDay, getLocalInstant } from '#domain/time/port-time.ts';
import type { Database } from '../database/database.ts';
import { ports, routes, sailings, vessels, voyages } from '../database/schema/timetable.ts';

/** A voyage could not be found, or not told apart from others. The message is for the operator. */
export class VoyageNotFound extends Error {}

/** A sailing's id, or a departure: the local day, the port's code and the local time, `HH:MM`. */
export type VoyageName =
  | { sailingId: string }
  | { day: string; port: string; time: string; line: string | null };

/**
 * The sailings of a boat that depart from a local time on, `HH:MM` of the calendar day `from`, to the end of the service
 * day `until`.
 */
export type BoatName = { boat: string; from: string; time: string; until: string };

/** A voyage with the departure that names it: port, local day and local time, `HH:MM`. */
export type NamedVoyage = typeof voyages.$inferSelect & {
  portId: string;
  departsDay: string;
  departsLocal: string;
};

/**
 * The voyage that a command names.
 * @throws {VoyageNotFound}
 */
export async function findVoyage(db: Database, name: VoyageName): Promise<NamedVoyage> {
  return 'sailingId' in name ? findBySailing(db, name.sailingId) : findByDeparture(db, name);
}

/**
 * The voyages of a boat that begin in a time, and those under way when it begins.
 * @throws {VoyageNotFound} if there is no such boat, or none of its voyages begins then
 */
export async function findVoyagesOfBoat(
  db: Database,
  { boat, from, time, until }: BoatName,
): Promise<{ voyages: NamedVoyage[]; underWay: NamedVoyage[] }> {
  const vessel = await findVessel(db, boat);
  const isInTimetable = db
    .select({ id: sailings.id })
    .from(sailings)
    .where(
      and(
        eq(sailings.voyageId, voyages.id),
        eq(sailings.withdrawn, false),
        // A day earlier, because the time counts at the port.
        gte(sailings.arrivesAt, new Date(getDayPeriod(addDays(from, -1), 'UTC').from)),
      ),
    );
  const rows = await db
    .select()
    .from(voyages)
    .where(and(eq(voyages.vesselId, vessel.id), lte(voyages.serviceDate, until), exists(isInTimetable)));
  const zones = new Map((await db.select().from(ports)).map(({ id, timeZone }) => [id, timeZone]));
  const named = rows
    .flatMap((voyage) => {
      const [first] = voyage.stops;
      const ends = Date.parse(voyage.stops.at(-1)?.arrives_at ?? '');
      if (!first?.departs_at) return [];
      const zone = zones.get(first.port_id) ?? 'UTC';
      const departs = Date.parse(first.departs_at);
      const begins = getLocalInstant(from, time, zone);
      const name = nameVoyage(voyage, { portId: first.port_id, departs, zone });
      return ends <= begins ? [] : [{ name, departs, isUnderWay: departs < begins }];
    })
    .toSorted((a, b) => a.departs - b.departs);
  const underWay = named.filter(({ isUnderWay }) => isUnderWay).map(({ name }) => name);
  const ahead = named.filter(({ isUnderWay }) => !isUnderWay).map(({ name }) => name);
  if (ahead.length === 0) {
    throw new VoyageNotFound(`No sailing of ${vessel.name} begins from ${time} on ${from} to ${until}.`);
  }
  return { voyages: ahead, underWay };
}

/**
 * The sailing that a command names, of a departure the one to the farthest port.
 * @throws {VoyageNotFound}
 */
export async function findSailingId(db: Database, name: VoyageName): Promise<string> {
  const { id, portId, departsDay, departsLocal } = await findVoyage(db, name);
  if ('sailingId' in name) return name.sailingId;
  const rows = await db
    .select({ sailing: sailings, zone: ports.timeZone })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .where(and(eq(sailings.voyageId, id), eq(ports.id, portId), eq(sailings.withdrawn, false)));
  const matches = rows
    .filter(({ sailing: { departsAt }, zone }) => {
      const departs = departsAt.getTime();
      return getLocalDay(departs, zone) === departsDay && getClockTime(departs, zone) === departsLocal;
    })
    .map(({ sailing }) => sailing)
    .toSorted((a, b) => b.lastStop - a.lastStop);
  const [farthest] = matches;
  if (!farthest) throw new VoyageNotFound('The timetable has withdrawn this sailing.');
  return (matches.find(({ status }) => status !== 'canceled') ?? farthest).id;
}

/**
 * A boat by its code.
 * @throws {VoyageNotFound}
 */
export async function findVessel(db: Database, code: string): Promise<typeof vessels.$inferSelect> {
  const all = await db.select().from(vessels);
  const vessel = all.find((each) => each.code === code && each.active);
  if (vessel) return vessel;
  throw new VoyageNotFound(
    `There is no boat ${code}. The boats are ${all.map((each) => each.code).join(', ')}.`,
  );
}

async function findBySailing(db: Database, sailingId: string): Promise<NamedVoyage> {
  const [row] = await db
    .select({ voyage: voyages, sailing: sailings })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(eq(sailings.id, sailingId));
  if (!row) throw new VoyageNotFound(`There is no sailing ${sailingId}.`);
  const portId = row.voyage.stops[row.sailing.firstStop]?.port_id;
  const [port] = portId ? await db.select().from(ports).where(eq(ports.id, portId)) : [];
  if (!port) throw new VoyageNotFound(`The sailing ${sailingId} has no port of departure.`);
  const departs = row.sailing.departsAt.getTime();
  return nameVoyage(row.voyage, { portId: port.id, departs, zone: port.timeZone });
}

async function findByDeparture(
  db: Database,
  { day, port: code, time, line }: Extract<VoyageName, { day: string }>,
): Promise<NamedVoyage> {
  const port = await findPort(db, code);
  const period = getDayPeriod(day, port.timeZone);
  const rows = await db
    .selectDistinctOn([voyages.id], { voyage: voyages, departsAt: sailings.departsAt })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .where(
      and(
        eq(routes.originPortId, port.id),
        gte(sailings.departsAt, new Date(period.from)),
        lt(sailings.departsAt, new Date(period.until)),
        line === null ? undefined : eq(voyages.gtfsRouteId, line),
      ),
    );
  const matches = rows
    .map(({ voyage, departsAt }) =>
      nameVoyage(voyage, { portId: port.id, departs: departsAt.getTime(), zone: port.timeZone }),
    )
    .filter(({ departsLocal }) => departsLocal === time)
    .toSorted((a, b) => (a.gtfsRouteId < b.gtfsRouteId ? -1 : 1));
  const [voyage, ...others] = matches;
  if (!voyage) throw new VoyageNotFound(`No sailing departs from ${port.name} at ${time} on ${day}.`);
  if (others.length > 0) {
    const lines = matches.map(({ gtfsRouteId }) => gtfsRouteId).join(', ');
    throw new VoyageNotFound(
      `${matches.length} sailings depart then. Name one by its id, or its line with --line: ${lines}.`,
    );
  }
  return voyage;
}

function nameVoyage(
  voyage: typeof voyages.$inferSelect,
  { portId, departs, zone }: { portId: string; departs: number; zone: string },
): NamedVoyage {
  const departsLocal = getClockTime(departs, zone);
  return { ...voyage, portId, departsDay: getLocalDay(departs, zone), departsLocal };
}

/**
 * A port by its code or the feed's `stop_id`.
 * @throws {VoyageNotFound}
 */
export async function findPort(db: Database, name: string): Promise<typeof ports.$inferSelect> {
  const all = await db.select().from(ports);
  const port =
    all.find(({ code }) => code === name.toUpperCase()) ?? all.find(({ gtfsStopId }) => gtfsStopId === name);
  if (port) return port;
  const codes = all.filter(({ active }) => active).map(({ code }) => code);
  throw new VoyageNotFound(`There is no port ${name}. The ports are ${codes.toSorted().join(', ')}.`);
}
