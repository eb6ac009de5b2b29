import { getLaneNeeded } from '#domain/fares/capacity.ts';
import { checkVehicle } from '#domain/fares/vehicles.ts';
import { countFreeOnline } from '#domain/sailings/availability.ts';
import { combineSailings, findChangePorts } from '#domain/sailings/connections.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Places } from '#server/capacity/places.ts';
import type { Database } from '#server/database/database.ts';
import { getExpectedTimes } from '../presenter.ts';
import {
  type CatalogueFacts,
  findSailings,
  listSailings,
  loadCatalogue,
  type SailingRecord,
} from '../queries.ts';
import type { BookedWay, TravelingParty } from './affected-ways.ts';

/** How many days after the booked one are searched. */
const DAYS_AHEAD = 7;

/** One boat, or both of a connection. */
export type Journey = readonly SailingRecord[];

/** Instants in milliseconds. Departures are later than `after`; expected arrivals are not later than `arrivesUntil`. */
export type JourneyLimits = { after: number; arrivesUntil: number };

export type JourneyFinder = {
  /** The journeys between the ports of a way on which its whole party fits, by departure. */
  list(way: BookedWay, limits: JourneyLimits): Promise<Journey[]>;
  /** Reads again how many places a journey has. */
  refresh(journey: Journey): Promise<void>;
  catalogue: CatalogueFacts;
};

/** Finds other sailings for many orders of the same sailings; their timetable is read once. */
export async function createJourneyFinder(db: Database, now: Date): Promise<JourneyFinder> {
  const catalogue = await loadCatalogue(db);
  const known = new Map<string, Promise<Timetable>>();
  return {
    catalogue,
    async list(way, limits) {
      const key = describeSearch(way, catalogue);
      const timetable = known.get(key) ?? readTimetable(db, way, catalogue);
      known.set(key, timetable);
      const isWanted = (boat: SailingRecord) =>
        isOnSale(boat, now) &&
        hasRoom(boat, listPlaces(way.party, boat, catalogue)) &&
        !way.boats.some(({ sailingId }) => sailingId === boat.id);
      return combine(await timetable, isWanted).filter((journey) => isWithin(journey, limits));
    },
    async refresh(journey) {
      const current = await findSailings(
        db,
        journey.map(({ id }) => id),
      );
      for (const boat of journey)
        Object.assign(
          boat,
          current.find(({ id }) => id === boat.id),
        );
    },
  };
}

/** What a party takes on a sailing; null if the sailing cannot carry its vehicle. */
export function listPlaces(
  { passengers, bicycles, vehicle }: TravelingParty,
  { id: sailingId, route, vessel }: SailingRecord,
  { vehicleTypes }: CatalogueFacts,
): Places[] | null {
  const places: Places[] = [
    { sailingId, resource: 'passenger', amount: passengers },
    { sailingId, resource: 'bicycle', amount: bicycles },
  ];
  if (vehicle) {
    const type = vehicleTypes.find(({ code }) => code === vehicle.type);
    if (!type || checkVehicle(vehicle, type, { route, vessel })) return null;
    places.push({ sailingId, ...getLaneNeeded(vehicle, type, vessel) });
  }
  return places.filter(({ amount }) => amount > 0);
}

function hasRoom({ capacity }: SailingRecord, places: readonly Places[] | null): boolean {
  if (places === null) return false;
  return places.every(({ resource, amount }) => {
    const room = capacity.find((each) => each.resource === resource);
    return room !== undefined && amount <= countFreeOnline(room);
  });
}

function isOnSale({ status, withdrawn, salesCloseAt }: SailingRecord, now: Date): boolean {
  return status === 'scheduled' && !withdrawn && salesCloseAt > now;
}

function isWithin(journey: Journey, { after, arrivesUntil }: JourneyLimits): boolean {
  const [first] = journey;
  const last = journey.at(-1);
  if (!first || !last) return false;
  return first.departsAt.getTime() > after && getExpectedTimes(last).arrivesAt <= arrivesUntil;
}

/** The boats from the first port, and those of the second half of connections. `minutes`: to change, by port. */
type Timetable = { first: SailingRecord[]; onward: SailingRecord[]; changes: ReadonlyMap<string, number> };

function findEnds({ boats }: BookedWay): { from: string; to: string } {
  return { from: boats[0]?.originPortId ?? '', to: boats.at(-1)?.destinationPortId ?? '' };
}

function findDay({ boats }: BookedWay, { feed }: CatalogueFacts): string {
  return getLocalDay(boats[0]?.departsAt.getTime() ?? 0, feed.timeZone);
}

function describeSearch(way: BookedWay, catalogue: CatalogueFacts): string {
  const { from, to } = findEnds(way);
  return [from, to, way.boats.length, findDay(way, catalogue)].join(' ');
}

/** A direct way is replaced by direct boats, a connection by connections. */
async function readTimetable(db: Database, way: BookedWay, catalogue: CatalogueFacts): Promise<Timetable> {
  const { from, to } = findEnds(way);
  const day = findDay(way, catalogue);
  // Sailings after midnight may belong to the service day before.
  const days = { from: addDays(day, -1), to: addDays(day, DAYS_AHEAD) };
  const list = (isWanted: (route: CatalogueFacts['routes'][number]) => boolean) =>
    listSailings(
      db,
      catalogue.routes.filter(isWanted).map(({ id }) => id),
      days,
    );
  if (way.boats.length === 1) {
    const first = await list((route) => route.originPortId === from && route.destinationPortId === to);
    return { first, onward: [], changes: new Map() };
  }
  const changes = new Map(
    findChangePorts(catalogue, from, to).map(({ portId, minutes }) => [portId, minutes]),
  );
  return {
    first: await list((route) => route.originPortId === from && changes.has(route.destinationPortId)),
    onward: await list((route) => changes.has(route.originPortId) && route.destinationPortId === to),
    changes,
  };
}

function combine(
  { first, onward, changes }: Timetable,
  isWanted: (boat: SailingRecord) => boolean,
): Journey[] {
  const list = (boats: readonly SailingRecord[]) =>
    boats
      .filter(isWanted)
      .map((record) => ({ record, ...getExpectedTimes(record) }))
      .toSorted((a, b) => a.departsAt - b.departsAt);
  const starts = list(first);
  if (changes.size === 0) return starts.map(({ record }) => [record]);
  const ends = list(onward);
  return [...changes]
    .flatMap(([portId, minutes]) =>
      combineSailings(
        starts.filter(({ record }) => record.destination.id === portId),
        ends.filter(({ record }) => record.origin.id === portId),
        minutes,
      ),
    )
    .toSorted(([a], [b]) => a.departsAt - b.departsAt)
    .map((boats) => boats.map(({ record }) => record));
}
