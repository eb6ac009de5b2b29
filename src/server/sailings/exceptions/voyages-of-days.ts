import { between } from 'drizzle-orm';
import { getClockTime } from '#domain/time/port-time.ts';
import type { Database } from '#server/database/database.ts';
import { ports, voyages } from '#server/database/schema/timetable.ts';
import type { MatchedVoyage } from './match-exception.ts';

export type VoyageOfDay = MatchedVoyage & { vesselId: string; plannedVesselId: string };

/** The voyages of some service days, both inclusive, as exceptions are matched with them. */
export async function listVoyages(
  tx: Database,
  { from, until }: { from: string; until: string },
): Promise<VoyageOfDay[]> {
  const zones = new Map((await tx.select().from(ports)).map(({ id, timeZone }) => [id, timeZone]));
  const rows = await tx
    .select()
    .from(voyages)
    .where(between(voyages.serviceDate, from, until));
  return rows.map((voyage) => ({
    id: voyage.id,
    line: voyage.gtfsRouteId,
    serviceDate: voyage.serviceDate,
    tripKey: voyage.gtfsTripKey,
    exceptionId: voyage.exceptionId,
    vesselId: voyage.vesselId,
    plannedVesselId: voyage.plannedVesselId,
    stops: voyage.stops.map(({ port_id, departs_at }) => ({
      portId: port_id,
      departsLocal:
        departs_at === null ? null : getClockTime(Date.parse(departs_at), zones.get(port_id) ?? 'UTC'),
    })),
  }));
}
