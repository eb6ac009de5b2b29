import { type SQL, sql } from 'drizzle-orm';
import type { ListedBoat } from '#contract/passenger-lists/schemas.ts';
import { getGateHours } from '#domain/boarding/gate-hours.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { translateSailing } from '../database/translate-sailing.ts';
import { findTimetable, listTimetable, loadCatalogue, type TimetableRecord } from '../sailings/queries.ts';

/** A boat at a port. `sailing`: the shortest of its sailings from there. */
type Boat = { sailing: TimetableRecord };

/** The boats of the present hours whose passenger list the law asks for, by departure. */
export async function listBoats(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  language: string,
): Promise<ListedBoat[]> {
  const { routes } = await loadCatalogue(db);
  const routeIds = routes.flatMap(({ id, needsPassengerList }) => (needsPassengerList ? [id] : []));
  const timetable = await listTimetable(db, routeIds, getGateHours(clock.now().getTime()));
  const running = timetable
    .filter(({ status, withdrawn }) => status !== 'canceled' && !withdrawn)
    .toSorted((a, b) => a.departsAt.getTime() - b.departsAt.getTime() || a.lastStop - b.lastStop);
  const boats = Map.groupBy(running, ({ voyageId, firstStop }) => `${voyageId} ${firstStop}`);
  const listed: ListedBoat[] = [];
  for (const [sailing] of boats.values()) {
    if (sailing) listed.push(await presentBoat(db, { sailing }, language));
  }
  return listed;
}

/** The boat of a sailing; null if the law asks for no list of it. */
export async function findBoat(db: Database, sailingId: string): Promise<Boat | null> {
  const [sailing] = await findTimetable(db, [sailingId]);
  return sailing?.route.needsPassengerList ? { sailing } : null;
}

export async function presentBoat(db: Database, boat: Boat, language: string): Promise<ListedBoat> {
  const { origin, destination, vessel, ...sailing } = translateSailing(boat.sailing, language);
  const [count = { travelers: 0, missing: 0 }] = await queryRows<{ travelers: number; missing: number }>(
    db,
    sql`select count(*)::int as travelers, count(*) filter (where d.order_id is null)::int as missing
      ${travelersOf(boat)}`,
  );
  return {
    sailing_id: sailing.id,
    ...{ origin: origin.name, destination: destination.name, vessel: vessel.name },
    departs_at: sailing.departsAt.toISOString(),
    departs_local: formatLocalTime(sailing.departsAt.getTime(), origin.timeZone),
    departs_zone: origin.timeZone,
    departed_at: sailing.departedAt?.toISOString() ?? null,
    ...count,
  };
}

/**
 * The part of a query after its columns for the travelers of a boat: `t` their tickets, `o` orders, `l` fare lines, `d`
 * details, `b` boardings, `bs` the sailing that they are aboard for. Those aboard when it leaves the port, and those who
 * are expected there.
 */
export function travelersOf({ sailing: { voyageId, firstStop } }: Boat): SQL {
  return sql`
    from tickets t
    join orders o on o.id = t.order_id
    join order_lines l on l.id = t.line_id
    join sailings s on s.id = t.sailing_id
    left join ticket_boardings b on b.ticket_id = t.id
    left join sailings bs on bs.id = b.sailing_id
    join routes r on r.id = coalesce(bs.route_id, s.route_id) and r.needs_passenger_list
    left join passenger_details d on d.order_id = t.order_id and d.traveler = t.party_index
    where t.kind = 'passenger' and (
      (bs.voyage_id = ${voyageId} and bs.first_stop <= ${firstStop} and bs.last_stop > ${firstStop})
      or (b.ticket_id is null and s.voyage_id = ${voyageId} and s.first_stop = ${firstStop}
        and t.status in ('issued', 'checked_in')))`;
}

/** How many travelers with tickets of sailings lack details, by sailing. Only sailings whose list the law asks for. */
export async function countMissingDetails(
  db: Database,
  timetable: readonly TimetableRecord[],
): Promise<Map<string, number>> {
  const ids = timetable.flatMap(({ id, route }) => (route.needsPassengerList ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await queryRows<{ id: string; missing: number }>(
    db,
    sql`
    select t.sailing_id as id, count(*)::int as missing
    from tickets t
    left join passenger_details d on d.order_id = t.order_id and d.traveler = t.party_index
    where t.kind = 'passenger' and t.status in ('issued', 'checked_in', 'boarded') and d.order_id is null
      and t.sailing_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    group by t.sailing_id`,
  );
  const missing = new Map(rows.map((row) => [row.id, row.missing]));
  return new Map(ids.map((id) => [id, missing.get(id) ?? 0]));
}
