import { and, between, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getClockTime, getLocalInstant } from '#domain/time/port-time.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { feed, ports, routes, sailings, voyages } from '#server/database/schema/timetable.ts';
import { forEachChunk, upsertRows } from '../bulk.ts';
import type { AffectedOrder } from '../notices/notify-passengers.ts';
import { withdrawSailings } from '../withdraw-sailings.ts';
import { writeCapacities } from '../write-capacities.ts';
import type { ExceptionRow } from './match-exception.ts';

type VoyageRow = typeof voyages.$inferSelect;
type Days = { from: string; until: string };

/** An exception that adds a sailing, and the service day on which it does. */
type Extra = { exception: ExceptionRow; day: string };

export type AppliedExtras = {
  /** Ids of the sailings added and withdrawn. */
  sailingIds: string[];
  /** Orders on extra sailings that no longer run. */
  affected: AffectedOrder[];
  /** Exceptions on whose days no sailing runs that the extra one could be like. */
  withoutModel: ExceptionRow[];
};

/**
 * Makes the voyages that are not in the timetable those of the exceptions: adds what is missing on the days on sale, and
 * withdraws what no exception asks for. A voyage once added no longer depends on the one that it is like.
 * @param exceptions of these days
 */
export async function applyExtraSailings(
  tx: Database,
  { exceptions, days, now }: { exceptions: readonly ExceptionRow[]; days: Days; now: Date },
): Promise<AppliedExtras> {
  const stored = await tx
    .select()
    .from(voyages)
    .where(and(isNotNull(voyages.exceptionId), between(voyages.serviceDate, days.from, days.until)));
  const [onSale] = await tx.select({ until: feed.windowUntil }).from(feed);
  const extras = exceptions.filter(({ kind }) => kind === 'extra');
  const newExtras = new Map(
    extras
      .flatMap((exception) => listExtras(exception, days, onSale?.until ?? ''))
      .map((extra) => [`${extra.exception.id} ${extra.day}`, extra]),
  );
  const ended: string[] = [];
  const running: string[] = [];
  for (const { id, exceptionId, serviceDate } of stored) {
    const isStillPlanned = newExtras.delete(`${exceptionId} ${serviceDate}`);
    (isStillPlanned ? running : ended).push(id);
  }
  const withdrawn = await withdrawVoyages(tx, ended, now);
  const added = await addVoyages(tx, [...newExtras.values()], now);
  await forEachChunk([...running, ...added.voyageIds], (list) => writeCapacities(tx, list, now));
  const modeled = new Set([...stored.map(({ exceptionId }) => exceptionId), ...added.modeled]);
  const missing = new Set([...newExtras.values()].map(({ exception }) => exception));
  return {
    sailingIds: [...added.sailingIds, ...withdrawn.sailingIds],
    affected: withdrawn.affected,
    withoutModel: [...missing].filter(({ id }) => !modeled.has(id)),
  };
}

function listExtras(exception: ExceptionRow, days: Days, onSaleUntil: string): Extra[] {
  const from = exception.fromDay > days.from ? exception.fromDay : days.from;
  const until = [exception.untilDay, days.until, onSaleUntil].toSorted()[0] ?? '';
  const extras: Extra[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) extras.push({ exception, day });
  return extras;
}

async function withdrawVoyages(
  tx: Database,
  voyageIds: readonly string[],
  now: Date,
): Promise<Pick<AppliedExtras, 'sailingIds' | 'affected'>> {
  if (voyageIds.length === 0) return { sailingIds: [], affected: [] };
  const ahead = await tx
    .select({ id: sailings.id })
    .from(sailings)
    .where(
      and(
        inArray(sailings.voyageId, [...voyageIds]),
        eq(sailings.withdrawn, false),
        gt(sailings.departsAt, now),
      ),
    );
  const sailingIds = ahead.map(({ id }) => id);
  const { affected } = await withdrawSailings(tx, sailingIds, { kind: 'extra_withdrawn', now });
  return { sailingIds, affected };
}

type Added = { voyageIds: string[]; sailingIds: string[]; modeled: Set<string> };

async function addVoyages(tx: Database, extras: readonly Extra[], now: Date): Promise<Added> {
  const modeled = new Set<string>();
  if (extras.length === 0) return { voyageIds: [], sailingIds: [], modeled };
  const models = await readModels(tx, extras);
  const addedVoyages: VoyageRow[] = [];
  const addedSailings: (typeof sailings.$inferInsert)[] = [];
  for (const extra of extras) {
    const model = findModel(models, extra);
    if (!model) continue;
    modeled.add(extra.exception.id);
    const voyage = createVoyage(extra, model, now);
    const own = createSailings(voyage.id, extra.day, model, now);
    if (own.length === 0) continue;
    addedVoyages.push(voyage);
    addedSailings.push(...own);
  }
  await upsertRows(tx, voyages, [voyages.id], addedVoyages);
  await upsertRows(tx, sailings, [sailings.id], addedSailings);
  const getId = ({ id }: { id: string }) => id;
  return { voyageIds: addedVoyages.map(getId), sailingIds: addedSailings.map(getId), modeled };
}

type SoldSailing = { sailing: typeof sailings.$inferSelect; salesCloseMinutes: number };

type Models = {
  voyages: VoyageRow[];
  /** The sold stretches of each voyage, by its id. */
  sailings: ReadonlyMap<string, SoldSailing[]>;
  /** The zone of each port, by its id. */
  zones: ReadonlyMap<string, string>;
};

async function readModels(tx: Database, extras: readonly Extra[]): Promise<Models> {
  const days = [...new Set(extras.map(findModelDay))];
  const lines = [...new Set(extras.flatMap(({ exception: { line } }) => (line === null ? [] : [line])))];
  const isModel = and(inArray(voyages.serviceDate, days), inArray(voyages.gtfsRouteId, lines));
  const candidates = await tx.select().from(voyages).where(isModel);
  const sold = await tx
    .select({ sailing: sailings, salesCloseMinutes: routes.salesCloseMinutes })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(and(isModel, eq(sailings.withdrawn, false), eq(routes.active, true)));
  const zones = new Map((await tx.select().from(ports)).map(({ id, timeZone }) => [id, timeZone]));
  return { voyages: candidates, sailings: Map.groupBy(sold, ({ sailing }) => sailing.voyageId), zones };
}

function findModelDay({ exception, day }: Extra): string {
  return exception.likeDay ?? day;
}

/** `shift`: milliseconds by which the extra voyage departs later than its model. */
type Model = { voyage: VoyageRow; sold: readonly SoldSailing[]; shift: number };

function findModel(models: Models, extra: Extra): Model | null {
  const { line, portId, likeLocal, departsLocal } = extra.exception;
  const zone = models.zones.get(portId ?? '') ?? 'UTC';
  for (const voyage of models.voyages) {
    if (voyage.gtfsRouteId !== line || voyage.serviceDate !== findModelDay(extra)) continue;
    const sold = models.sailings.get(voyage.id) ?? [];
    const departs = voyage.stops.find(
      (stop) =>
        stop.port_id === portId &&
        stop.departs_at !== null &&
        getClockTime(Date.parse(stop.departs_at), zone) === likeLocal,
    )?.departs_at;
    if (!departs || departsLocal === null || sold.length === 0) continue;
    const shift = getLocalInstant(extra.day, departsLocal, zone) - Date.parse(departs);
    return { voyage, sold, shift };
  }
  return null;
}

function createVoyage({ exception, day }: Extra, { voyage, shift }: Model, now: Date): VoyageRow {
  const move = (instant: string | null) =>
    instant === null ? null : new Date(Date.parse(instant) + shift).toISOString();
  const vesselId = exception.vesselId ?? voyage.plannedVesselId;
  return {
    id: newId('voy'),
    gtfsRouteId: voyage.gtfsRouteId,
    serviceDate: day,
    gtfsTripKey: exception.id,
    vesselId,
    plannedVesselId: vesselId,
    stops: voyage.stops.map(({ port_id, arrives_at, departs_at }) => ({
      port_id,
      arrives_at: move(arrives_at),
      departs_at: move(departs_at),
    })),
    exceptionId: exception.id,
    updatedAt: now,
  };
}

/** The sailings of an extra voyage that have not departed. */
function createSailings(
  voyageId: string,
  day: string,
  { sold, shift }: Model,
  now: Date,
): (typeof sailings.$inferInsert)[] {
  return sold.flatMap(({ sailing: { routeId, firstStop, lastStop, ...times }, salesCloseMinutes }) => {
    const departs = times.departsAt.getTime() + shift;
    if (departs <= now.getTime()) return [];
    return [
      {
        ...{ id: newId('slg'), routeId, voyageId, firstStop, lastStop, serviceDate: day },
        departsAt: new Date(departs),
        arrivesAt: new Date(times.arrivesAt.getTime() + shift),
        salesCloseAt: new Date(departs - salesCloseMinutes * 60_000),
        updatedAt: now,
      },
    ];
  });
}

/** Why an extra sailing could not be added. */
export function describeWithoutModel({ line, fromDay, likeDay, likeLocal }: ExceptionRow): string {
  return `left out: an extra sailing like that of line ${line} at ${likeLocal} on ${likeDay ?? fromDay}, which is not in the timetable`;
}
