import { and, asc, eq } from 'drizzle-orm';
import { getClockTime } from '#domain/time/port-time.ts';
import type { Database } from '../database/database.ts';
import { ports, sailings, voyages } from '../database/schema/timetable.ts';

/** A voyage could not be found, or not told apart from others. The message is for the operator. */
export class VoyageNotFound extends Error {}

/** A sailing's id, or a departure: the service day, the port's code and the local time, `HH:MM`. */
export type VoyageName =
  | { sailingId: string }
  | { day: string; port: string; time: string; line: string | null };

export type NamedVoyage = typeof voyages.$inferSelect & { portId: string; departsLocal: string };

/**
 * The voyage that a command names.
 * @throws {VoyageNotFound}
 */
export async function findVoyage(db: Database, name: VoyageName): Promise<NamedVoyage> {
  return 'sailingId' in name ? findBySailing(db, name.sailingId) : findByDeparture(db, name);
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
  const departsLocal = getClockTime(row.sailing.departsAt.getTime(), port.timeZone);
  return { ...row.voyage, portId: port.id, departsLocal };
}

async function findByDeparture(
  db: Database,
  { day, port: code, time, line }: Extract<VoyageName, { day: string }>,
): Promise<NamedVoyage> {
  const port = await findPort(db, code);
  const ofDay = await db
    .select()
    .from(voyages)
    .where(and(eq(voyages.serviceDate, day), line === null ? undefined : eq(voyages.gtfsRouteId, line)))
    .orderBy(asc(voyages.gtfsRouteId));
  const found = ofDay.filter((voyage) =>
    voyage.stops.some(
      ({ port_id, departs_at }) =>
        port_id === port.id &&
        departs_at !== null &&
        getClockTime(Date.parse(departs_at), port.timeZone) === time,
    ),
  );
  const [voyage, ...others] = found;
  if (!voyage) throw new VoyageNotFound(`No sailing departs from ${port.name} at ${time} on ${day}.`);
  if (others.length > 0) {
    const lines = found.map(({ gtfsRouteId }) => gtfsRouteId).join(', ');
    throw new VoyageNotFound(
      `${found.length} sailings depart then. Name one by its id, or its line with --line: ${lines}.`,
    );
  }
  return { ...voyage, portId: port.id, departsLocal: time };
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
