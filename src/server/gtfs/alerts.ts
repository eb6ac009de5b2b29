import { between } from 'drizzle-orm';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { ExceptionReason } from '#contract/sailings/exceptions.ts';
import { addDays } from '#domain/time/days.ts';
import { getClockTime, getDayStart } from '#domain/time/port-time.ts';
import { describeStatement } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { voyages } from '#server/database/schema/timetable.ts';
import {
  appliesToVoyage,
  type ExceptionRow,
  type MatchedVoyage,
} from '#server/sailings/exceptions/match-exception.ts';
import { listExceptions, spanDays } from '#server/sailings/exceptions/store-exceptions.ts';
import type { CatalogueRecord } from '#server/sailings/queries.ts';
import { compact } from './compose-timetable.ts';
import type { PublishedTimetable } from './published-timetable.ts';
import { listLines } from './timetable-data.ts';
import { TRIP, type TripDescriptor } from './trip-updates.ts';

type Translated = { translation: { text: string; language: string }[] };
type Entity = { routeId?: string; stopId?: string; trip?: TripDescriptor };
export type Alert = {
  activePeriod: { start: number; end: number }[];
  informedEntity: Entity[];
  cause: number;
  effect: number;
  url: Translated;
  headerText: Translated;
};

type Days = { from: string; until: string };
type AlertContext = {
  timetable: PublishedTimetable;
  catalogue: Pick<CatalogueRecord, 'ports' | 'feed' | 'routes'>;
  language: string;
  ticketsOrigin: string;
};

/** The specification's `cause` of each reason. */
const CAUSES: Record<ExceptionReason, number> = {
  weather: 8,
  technical: 3,
  crew: 2,
  traffic: 2,
  port: 2,
  other: 2,
};
const UNKNOWN_CAUSE = 1;
/** NO_SERVICE, OTHER_EFFECT, UNKNOWN_EFFECT. */
const EFFECTS = { port_closed: 1, notice: 7, suspended: 8 } as const;
type AlertKind = keyof typeof EFFECTS;

/** Notices, closed ports and sailings on hold, with the line, port or trips that they are about. */
export async function listAlerts(
  db: Database,
  days: Days,
  context: AlertContext,
): Promise<{ id: string; alert: Alert }[]> {
  const exceptions = (await listExceptions(db, days)).filter(({ kind }) => kind in EFFECTS);
  const isSpecific = ({ tripKey, voyageId, departsLocal }: ExceptionRow) =>
    tripKey !== null || voyageId !== null || departsLocal !== null;
  const specificDays = spanDays(exceptions.filter(isSpecific));
  const near = specificDays ? await listMatchedVoyages(db, overlap(specificDays, days), context) : [];
  const ids = new Set(near.map(({ id }) => id));
  const t = textsIn(context.language);
  return exceptions.flatMap((exception) => {
    const text = describeStatement(t, exception);
    if (text === '') return [];
    const informedEntity = isSpecific(exception)
      ? near
          .filter((voyage) => appliesToVoyage(exception, voyage, ids))
          .map((voyage) => tripEntity(voyage, context))
      : wideEntities(exception, context);
    if (informedEntity.length === 0) return [];
    return [{ id: exception.id, alert: createAlert(exception, { text, informedEntity }, context) }];
  });
}

/** Exceptions may last for months. */
function overlap(a: Days, b: Days): Days {
  return {
    from: a.from > b.from ? a.from : b.from,
    until: a.until < b.until ? a.until : b.until,
  };
}

function createAlert(
  { kind, reason, fromDay, untilDay, portId }: ExceptionRow,
  { text, informedEntity }: { text: string; informedEntity: Entity[] },
  { catalogue, language, ticketsOrigin }: AlertContext,
): Alert {
  const { timeZone } = catalogue.feed;
  const seconds = (day: string) => Math.round(getDayStart(day, timeZone) / 1000);
  const code = catalogue.ports.find(({ id }) => id === portId)?.code;
  const page = code === undefined ? ticketPages.departures : fillPath(ticketPages.portDepartures, { code });
  const translate = (each: string): Translated => ({ translation: [{ text: each, language }] });
  return {
    activePeriod: [{ start: seconds(fromDay), end: seconds(addDays(untilDay, 1)) - 1 }],
    informedEntity,
    cause: reason === null ? UNKNOWN_CAUSE : CAUSES[reason],
    effect: EFFECTS[kind as AlertKind],
    url: translate(ticketsOrigin + page),
    headerText: translate(text),
  };
}

/** An exception without conditions names every line. */
function wideEntities({ line, portId }: ExceptionRow, { catalogue }: AlertContext): Entity[] {
  const stopId = catalogue.ports.find(({ id }) => id === portId)?.gtfsStopId;
  const stop = stopId === undefined ? {} : { stopId };
  if (line !== null) return [{ routeId: line, ...stop }];
  if (stopId !== undefined) return [stop];
  return listLines(catalogue).map(({ id }) => ({ routeId: id }));
}

function tripEntity(voyage: MatchedVoyage, { timetable }: AlertContext): Entity {
  const { line, tripKey, serviceDate, exceptionId } = voyage;
  const isExtra = exceptionId !== null;
  return {
    trip: {
      tripId: isExtra ? tripKey : timetable.findTripId({ line, tripKey, day: serviceDate }),
      startDate: compact(serviceDate),
      routeId: line,
      scheduleRelationship: isExtra ? TRIP.added : TRIP.scheduled,
    },
  };
}

async function listMatchedVoyages(
  db: Database,
  { from, until }: Days,
  { catalogue }: AlertContext,
): Promise<MatchedVoyage[]> {
  const zones = new Map(catalogue.ports.map(({ id, timeZone }) => [id, timeZone]));
  const rows = await db
    .select()
    .from(voyages)
    .where(between(voyages.serviceDate, from, until));
  return rows.map(({ id, gtfsRouteId, gtfsTripKey, serviceDate, exceptionId, stops }) => ({
    ...{ id, serviceDate, exceptionId, line: gtfsRouteId, tripKey: gtfsTripKey },
    stops: stops.map(({ port_id, departs_at }) => ({
      portId: port_id,
      departsLocal:
        departs_at === null ? null : getClockTime(Date.parse(departs_at), zones.get(port_id) ?? 'UTC'),
    })),
  }));
}
