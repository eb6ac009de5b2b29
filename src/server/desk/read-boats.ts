import { eq, sql } from 'drizzle-orm';
import type { DeskBoard, DeskBoat, Load, PortClosure } from '#contract/desk/schemas.ts';
import { formatLocalTime, getDayPeriod } from '#domain/time/port-time.ts';
import { translateTexts } from '#messages/translations.ts';
import { listStatusSentences } from '#sentences/exceptions.ts';
import { COUNT_SELLABLE } from '#server/capacity/sale-conditions.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { RESOURCES, voyages } from '#server/database/schema/timetable.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { readBoatRows } from '#server/gate/boats.ts';
import { LAST_DAY, listExceptions } from '#server/sailings/exceptions/store-exceptions.ts';
import {
  type CatalogueRecord,
  findTimetable,
  listTimetable,
  type TimetableRecord,
} from '#server/sailings/queries.ts';

type BoardQuery = {
  port: CatalogueRecord['ports'][number];
  catalogue: CatalogueRecord;
  /** Calendar days at the port. */
  day: string;
  today: string;
  language: string;
};

/** The boats that leave a port on a day by the timetable, with those of the timetable that do not run. */
export async function readBoard(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { port, catalogue, day, today, language }: BoardQuery,
): Promise<DeskBoard> {
  const now = clock.now();
  const routeIds = catalogue.routes.flatMap(({ id, originPortId }) => (originPortId === port.id ? [id] : []));
  const origins = new Set(catalogue.routes.map(({ originPortId }) => originPortId));
  const { boats, closures } = await inSnapshot(db, async (tx) => ({
    boats: await presentBoats(
      tx,
      await listTimetable(tx, routeIds, getDayPeriod(day, port.timeZone)),
      language,
    ),
    closures: await listClosures(tx, { portId: port.id, day, language }),
  }));
  return {
    ports: catalogue.ports
      .filter(({ id }) => origins.has(id))
      .map((each) => ({ code: each.code, name: translateTexts(each, language).name })),
    port: { code: port.code, name: translateTexts(port, language).name },
    ...{ day, today, boats, closures },
    as_of: now.toISOString(),
  };
}

async function listClosures(
  db: Database,
  { portId, day, language }: { portId: string; day: string; language: string },
): Promise<PortClosure[]> {
  const exceptions = await listExceptions(db, { from: day, until: LAST_DAY });
  return exceptions
    .filter((each) => each.kind === 'port_closed' && each.portId === portId)
    .map((closure) => ({
      ...{ id: closure.id, from: closure.fromDay, until: closure.untilDay },
      ...{ source: closure.source, reason: closure.reason },
      ...{ text: translateTexts(closure, language).text, at: closure.insertedAt.toISOString() },
    }));
}

/** A boat at a port: its sailings from there, and the voyage. */
export type BoatRecord = {
  /** Ids of its sailings from the port. */
  sailingIds: string[];
  voyage: typeof voyages.$inferSelect;
};

/** The boat of a sailing; null if the id is unknown or the timetable has withdrawn it. */
export async function findBoat(db: Database, sailingId: string): Promise<BoatRecord | null> {
  const rows = await readBoatRows(db, sailingId);
  const [first] = rows;
  if (first === undefined) return null;
  const [voyage] = await db.select().from(voyages).where(eq(voyages.id, first.voyageId));
  return voyage ? { voyage, sailingIds: rows.map(({ id }) => id) } : null;
}

/** The boat as the desk sees it. */
export async function presentBoat(db: Database, boat: BoatRecord, language: string): Promise<DeskBoat> {
  const [presented] = await presentBoats(db, await findTimetable(db, boat.sailingIds), language);
  if (!presented) throw new Error('A boat without sailings cannot be presented.');
  return presented;
}

async function presentBoats(
  db: Database,
  timetable: readonly TimetableRecord[],
  language: string,
): Promise<DeskBoat[]> {
  const listed = timetable.filter(({ withdrawn }) => !withdrawn);
  const loads = await readLoads(db, listed);
  const counts = await countOrders(
    db,
    listed.map(({ id }) => id),
  );
  const boats = Map.groupBy(listed, ({ voyageId, firstStop }) => `${voyageId} ${firstStop}`);
  return [...boats.values()].map((boat) => presentOne(boat, { loads, counts, language }));
}

type Read = { loads: ReadonlyMap<string, Load[]>; counts: ReadonlyMap<string, Counts>; language: string };

/** @param boat at least one sailing */
function presentOne(boat: readonly TimetableRecord[], { loads, counts, language }: Read): DeskBoat {
  const calls = boat
    .toSorted((a, b) => a.lastStop - b.lastStop)
    .map((sailing) => translateSailing(sailing, language));
  const main = calls.findLast(({ status }) => status !== 'canceled') ?? calls.at(-1);
  if (main === undefined) throw new Error('A boat without sailings cannot be presented.');
  const { origin, vessel } = main;
  const departs = main.departsAt.getTime();
  const sum = (field: keyof Counts) =>
    calls.reduce((total, { id }) => total + (counts.get(id)?.[field] ?? 0), 0);
  return {
    id: main.id,
    line: main.route.lineName || main.route.gtfsRouteId,
    port: { code: origin.code, name: origin.name },
    sailings: calls.map(({ id, routeId, destination }) => ({
      ...{ id, route_id: routeId, destination: destination.name },
    })),
    departs_at: main.departsAt.toISOString(),
    departs_local: formatLocalTime(departs, origin.timeZone),
    departs_zone: origin.timeZone,
    delay_minutes: main.delayMinutes,
    status: main.status,
    vessel: { code: vessel.code, name: vessel.name },
    sales_close_at: main.salesCloseAt.toISOString(),
    check_in_closed_at: main.checkInClosedAt?.toISOString() ?? null,
    departed_at: main.departedAt?.toISOString() ?? null,
    statements: listStatusSentences(textsIn(language), main),
    loads: loads.get(`${main.voyageId} ${main.firstStop}`) ?? [],
    people: sum('people'),
    aboard: sum('aboard'),
    vehicles: sum('vehicles'),
    vehicles_aboard: sum('vehiclesAboard'),
    waiting: sum('waiting'),
    is_oversold: calls.some(({ oversubscribed }) => oversubscribed),
  };
}

/** By voyage and stretch, in the order of `RESOURCES`; resources that the vessel does not carry are left out. */
async function readLoads(db: Database, timetable: readonly TimetableRecord[]): Promise<Map<string, Load[]>> {
  const voyageIds = [...new Set(timetable.map(({ voyageId }) => voyageId))];
  if (voyageIds.length === 0) return new Map();
  const rows = await queryRows<Load & { voyageId: string; stretch: number }>(
    db,
    sql`
    select c.voyage_id as "voyageId", c.stretch, c.resource, c.total, c.held + c.sold as taken, c.held_back,
      greatest(0, ${COUNT_SELLABLE} - c.held - c.sold) as free_online
    from voyage_capacity c
    join voyages voy on voy.id = c.voyage_id
    join vessels v on v.id = voy.vessel_id
    where c.total <> 0
      and c.voyage_id in (select jsonb_array_elements_text(${JSON.stringify(voyageIds)}::jsonb))`,
  );
  const ordered = rows.toSorted((a, b) => RESOURCES.indexOf(a.resource) - RESOURCES.indexOf(b.resource));
  const stretches = Map.groupBy(ordered, (row) => `${row.voyageId} ${row.stretch}`);
  return new Map(
    [...stretches].map(([key, list]) => [key, list.map(({ voyageId: _, stretch: __, ...load }) => load)]),
  );
}

/** `waiting`: orders with an open offer. */
type Counts = {
  people: number;
  aboard: number;
  vehicles: number;
  vehiclesAboard: number;
  waiting: number;
};

/** By sailing. */
async function countOrders(db: Database, sailingIds: readonly string[]): Promise<Map<string, Counts>> {
  if (sailingIds.length === 0) return new Map();
  const ids = JSON.stringify(sailingIds);
  const rows = await queryRows<Counts & { id: string }>(
    db,
    sql`
    select listed.id,
      booked.people, booked.vehicles, boarded.people as aboard, boarded.vehicles as "vehiclesAboard",
      (select count(distinct o.order_id)::int from rebooking_offers o
        where o.status = 'open' and o.sailing_ids ? listed.id) as waiting
    from jsonb_array_elements_text(${ids}::jsonb) as listed (id)
    cross join lateral (
      select count(*) filter (where t.kind = 'passenger')::int as people,
        count(*) filter (where t.kind = 'vehicle')::int as vehicles
      from tickets t
      where t.sailing_id = listed.id and t.status in ('issued', 'checked_in', 'boarded', 'no_show')
    ) booked
    cross join lateral (
      select count(*) filter (where t.kind = 'passenger')::int as people,
        count(*) filter (where t.kind = 'vehicle')::int as vehicles
      from ticket_boardings b join tickets t on t.id = b.ticket_id
      where b.sailing_id = listed.id
    ) boarded`,
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
