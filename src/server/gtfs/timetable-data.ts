import { sql } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Translations } from '#messages/translations.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { VoyageStop } from '#server/database/schema/timetable.ts';
import { type CatalogueRecord, loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';

/** A voyage of the timetable that is sold. Stops where passengers board and leave are indexes into `stops`. */
export type PublishedVoyage = {
  line: string;
  tripKey: string;
  /** The service day. */
  day: string;
  stops: VoyageStop[];
  boards: number[];
  alights: number[];
  carriesBicycles: boolean;
  carriesVehicles: boolean;
};

/** The feed of the published timetable without its voyages. It is equal as long as nothing has changed. */
export type FeedInfo = {
  /** Changed by every import. */
  revision: string;
  timeZone: string;
  /** Service days, both inclusive: yesterday's night boats may not have left yet. */
  from: string;
  until: string;
  publisher: { name: string; url: string; language: string; phone: string };
  /** The ticket host's address, without a slash at its end. */
  ticketsOrigin: string;
};

export type PublishedPort = Pick<
  CatalogueRecord['ports'][number],
  'id' | 'gtfsStopId' | 'code' | 'name' | 'lat' | 'lon' | 'timeZone' | 'stepFree' | 'translations'
>;
/** `translations`: of the field `lineName`. */
export type PublishedLine = { id: string; name: string; sort: number; translations: Translations };

export async function loadFeedInfo(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  catalogue?: CatalogueRecord,
): Promise<FeedInfo> {
  const { feed } = catalogue ?? (await loadCatalogue(db));
  const { brand, contact, language } = await loadWebSettings({ db });
  const today = getLocalDay(clock.now().getTime(), feed.timeZone);
  const ticketsOrigin = config.origins.tickets;
  return {
    revision: feed.revision,
    timeZone: feed.timeZone,
    from: addDays(today, -1),
    until: feed.windowUntil,
    publisher: {
      name: brand.name,
      url: contact.url ?? ticketsOrigin,
      language,
      phone: contact.phone ?? '',
    },
    ticketsOrigin,
  };
}

/** Each line once, with the name and the order that most of the product uses. */
export function listLines({ routes }: Pick<CatalogueRecord, 'routes'>): PublishedLine[] {
  const lines = new Map<string, PublishedLine>();
  for (const { gtfsRouteId, lineName, name, sort, translations } of routes) {
    if (lines.has(gtfsRouteId)) continue;
    lines.set(gtfsRouteId, { id: gtfsRouteId, name: lineName || name, sort, translations });
  }
  return [...lines.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Bounds the size of one answer of the database. */
const DAYS_AT_ONCE = 7;

/**
 * The voyages of the timetable on some service days, in a fixed order: JSON of `PublishedVoyage[]`, which the thread that
 * needs them parses. Extra sailings are not part of it.
 */
export async function listVoyages(
  db: Database,
  { from, until }: { from: string; until: string },
): Promise<string[]> {
  const parts: string[] = [];
  for (let day = from; day <= until; day = addDays(day, DAYS_AT_ONCE)) {
    const last = [addDays(day, DAYS_AT_ONCE - 1), until].toSorted()[0] ?? until;
    const [part] = await queryRows<{ voyages: string }>(
      db,
      sql`
      select coalesce(jsonb_agg(each order by each."tripKey", each.day, each.line), '[]')::text as voyages
      from (
        select v.gtfs_route_id as line, v.gtfs_trip_key as "tripKey", v.service_date::text as day, v.stops,
          array_agg(distinct s.first_stop order by s.first_stop) as boards,
          array_agg(distinct s.last_stop order by s.last_stop) as alights,
          bool_or(r.carries_bicycles) as "carriesBicycles", bool_or(r.carries_vehicles) as "carriesVehicles"
        from voyages v
        join sailings s on s.voyage_id = v.id and not s.withdrawn
        join routes r on r.id = s.route_id and r.active
        where v.service_date between ${day} and ${last} and v.exception_id is null
        group by v.id
      ) each`,
    );
    if (part) parts.push(part.voyages);
  }
  return parts;
}
