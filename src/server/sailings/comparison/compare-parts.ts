import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { and, gt, gte, inArray, isNull, lte, or, type SQL } from 'drizzle-orm';
import type { ExceptionKind } from '#contract/sailings/exceptions.ts';
import type { VesselVoyage } from '#domain/sailings/double-bookings.ts';
import { addDays } from '#domain/time/days.ts';
import type { Database } from '#server/database/database.ts';
import { sailings, voyages } from '#server/database/schema/timetable.ts';
import { listExceptions } from '../exceptions/store-exceptions.ts';
import { ASSUMED_VESSEL, type PlannedVoyage } from '../feed/departures.ts';
import { unpackVoyages } from '../feed/packed-voyages.ts';
import type { PlanPart } from '../feed/prepare-feed-worker.ts';
import type { CatalogueIds } from '../write-catalogue.ts';
import {
  compareVoyages,
  type ImportedVoyage,
  type StoredVoyage,
  type VoyageChanges,
} from './compare-voyages.ts';

/** The voyages of a timetable to import, and the database ids of what they refer to. */
export type ImportedTimetable = { today: string; parts: readonly PlanPart[]; ids: CatalogueIds; now: Date };

/** What an import changes on some consecutive service days. */
export type PartComparison = {
  changes: VoyageChanges;
  stored: StoredVoyage[];
  imported: ImportedVoyage[];
  /** The voyages on boats of the operator, by service day. */
  trips: VesselVoyage[];
};

/**
 * Compares the stored voyages with those of a timetable, part by part, so that other requests are served in between and
 * only one part is in memory. Writes nothing.
 */
export async function* compareParts(
  db: Database,
  { today, parts, ids, now }: ImportedTimetable,
): AsyncGenerator<PartComparison> {
  const hasSalesException = await findSalesExceptions(db, { today, parts });
  for (const part of parts) {
    const stored = (await readStoredVoyages(db, { part, today, now })).map((each) => ({
      ...each,
      hasSalesException: hasSalesException(each.voyage.serviceDate),
    }));
    const planned = unpackVoyages(part.voyages);
    const imported = toImportedVoyages(planned, ids, now);
    const changes = compareVoyages(stored, imported, now);
    yield { changes, stored, imported, trips: planned.flatMap(toVesselVoyages) };
    await nextEventLoopTurn();
  }
}

/** Whether an exception closes or opens sales on a service day. */
async function findSalesExceptions(
  db: Database,
  { today, parts }: Pick<ImportedTimetable, 'today' | 'parts'>,
): Promise<(day: string) => boolean> {
  const until = parts.at(-1)?.until ?? '';
  const ranges = (await listExceptions(db, { from: addDays(today, -1), until })).filter(({ kind }) =>
    SALES_KINDS.has(kind),
  );
  return (day) => ranges.some(({ fromDay, untilDay }) => fromDay <= day && day <= untilDay);
}

const SALES_KINDS: ReadonlySet<string> = new Set<ExceptionKind>(['sales_closed', 'sales_open']);

/** The voyages of a part's service days that are not over and not extra, with their sailings. */
async function readStoredVoyages(
  db: Database,
  { part, today, now }: { part: PlanPart; today: string; now: Date },
): Promise<Omit<StoredVoyage, 'hasSalesException'>[]> {
  const isCurrent = or(gte(sailings.serviceDate, addDays(today, -1)), gt(sailings.departsAt, now));
  const isCompared = and(isCurrent, isInPart(part));
  const bySailing = await db.select().from(sailings).where(isCompared);
  const byVoyage = Map.groupBy(bySailing, (sailing) => sailing.voyageId);
  const isUsed = inArray(voyages.id, db.select({ id: sailings.voyageId }).from(sailings).where(isCompared));
  const stored = await db
    .select()
    .from(voyages)
    .where(and(isUsed, isNull(voyages.exceptionId)));
  return stored.map((voyage) => ({ voyage, sailings: byVoyage.get(voyage.id) ?? [] }));
}

function isInPart({ after, until }: PlanPart): SQL | undefined {
  return and(after === null ? undefined : gt(sailings.serviceDate, after), lte(sailings.serviceDate, until));
}

function toVesselVoyages({ vesselCode, gtfsRouteId, serviceDate, stops }: PlannedVoyage): VesselVoyage[] {
  const [first] = stops;
  const startsAt = first?.departsAt;
  const endsAt = stops.at(-1)?.arrivesAt;
  if (startsAt == null || endsAt == null || vesselCode.startsWith(ASSUMED_VESSEL)) return [];
  return [
    {
      ...{ vessel: vesselCode, vesselName: vesselCode, line: gtfsRouteId, serviceDate, startsAt, endsAt },
      departure: first?.stopId ?? '',
    },
  ];
}

function toImportedVoyages(
  voyagesOfPart: readonly PlannedVoyage[],
  ids: CatalogueIds,
  now: Date,
): ImportedVoyage[] {
  return voyagesOfPart.map((planned) => {
    const { stops, serviceDate } = planned;
    return {
      voyage: {
        gtfsRouteId: ids.lines.get(planned.gtfsRouteId) ?? planned.gtfsRouteId,
        serviceDate,
        gtfsTripKey: planned.tripKey,
        vesselId: ids.vessels.get(planned.vesselCode) ?? '',
        plannedVesselId: ids.vessels.get(planned.vesselCode) ?? '',
        stops: stops.map(({ stopId, arrivesAt, departsAt }) => ({
          port_id: ids.ports.get(stopId) ?? '',
          arrives_at: arrivesAt === null ? null : new Date(arrivesAt).toISOString(),
          departs_at: departsAt === null ? null : new Date(departsAt).toISOString(),
        })),
        exceptionId: null,
        updatedAt: now,
      },
      sailings: planned.sailings.map(({ routeKey, firstStop, lastStop, salesCloseAt }) => ({
        routeId: ids.routes.get(routeKey) ?? '',
        firstStop,
        lastStop,
        serviceDate,
        departsAt: new Date(stops[firstStop]?.departsAt ?? 0),
        arrivesAt: new Date(stops[lastStop]?.arrivesAt ?? 0),
        salesCloseAt: new Date(salesCloseAt),
        updatedAt: now,
      })),
    };
  });
}
