import { getLaneNeeded } from '#domain/fares/capacity.ts';
import { checkVehicle } from '#domain/fares/vehicles.ts';
import { combineSailings, findTransferPorts } from '#domain/sailings/connections.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { getSalesEnd } from '#domain/sailings/sales-end.ts';
import { addDays } from '#domain/time/days.ts';
import { getDayPeriod, getLocalDay } from '#domain/time/port-time.ts';
import type { Places } from '#server/capacity/places.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import type { Database } from '#server/database/database.ts';
import { type CatalogueRecord, listSailings, loadCatalogue, type SailingRecord } from '../queries.ts';
import type { BookedJourney, TravelingParty } from './booked-journeys.ts';
import { createRoom, type Room } from './room.ts';

/** How many days after the booked one are searched. */
export const DAYS_AHEAD = 7;

/** One boat, or both of a connection. */
export type Journey = readonly SailingRecord[];

/** Service days, both inclusive. */
export type ServiceDays = { from: string; to: string };

/** Instants in milliseconds. Expected departures are later than `after`, expected arrivals not later than `arrivesUntil`. */
export type JourneyLimits = { after: number; arrivesUntil: number };

export type JourneyFinder = {
  /**
   * The journeys between the ports of a journey on which its whole party fits, by departure.
   * @param days the booked one and those after it unless given
   */
  list(booked: BookedJourney, limits: JourneyLimits, days?: ServiceDays): Promise<Journey[]>;
  /** The first of them, whose places count as taken from then on in what this finder finds. Null: there is none. */
  reserve(booked: BookedJourney, limits: JourneyLimits): Promise<Journey | null>;
  catalogue: CatalogueRecord;
};

/**
 * Finds other sailings for many orders of the same sailings; their timetable is read once.
 * @param salePoint where they must be on sale
 */
export async function createJourneyFinder(
  db: Database,
  now: Date,
  salePoint: SalePoint = 'online',
): Promise<JourneyFinder> {
  const catalogue = await loadCatalogue(db);
  const timetables = new Map<string, Promise<Timetable>>();
  const room = createRoom(db);
  const search = async (
    booked: BookedJourney,
    limits: JourneyLimits,
    days = listUsualDays(booked, catalogue),
  ) => {
    const key = describeSearch(booked, days);
    const timetable = timetables.get(key) ?? readTimetable(db, { booked, catalogue, days, now, salePoint });
    timetables.set(key, timetable);
    const isPossible = (boat: SailingRecord) =>
      hasRoom(room, boat, listPlaces(booked.party, boat, catalogue)) &&
      !booked.boats.some(({ sailingId }) => sailingId === boat.id);
    return combine(await timetable, isPossible, limits);
  };
  return {
    catalogue,
    list: async (booked, limits, days) => [...(await search(booked, limits, days))],
    async reserve(booked, limits) {
      for (const journey of await search(booked, limits)) {
        const places = journey.flatMap((boat) => listPlaces(booked.party, boat, catalogue) ?? []);
        if (await room.take(journey, places)) return journey;
      }
      return null;
    },
  };
}

/** What a party takes on a sailing; null if the sailing cannot carry its vehicle. */
export function listPlaces(
  { passengers, bicycles, vehicle }: TravelingParty,
  { id: sailingId, route, vessel }: SailingRecord,
  { vehicleTypes }: CatalogueRecord,
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

function hasRoom(room: Room, boat: SailingRecord, places: readonly Places[] | null): boolean {
  return places?.every(({ resource, amount }) => amount <= room.countFree(boat, resource)) ?? false;
}

function isOnSale(sailing: SailingRecord, now: Date, salePoint: SalePoint): boolean {
  if (sailing.status !== 'scheduled' || sailing.withdrawn) return false;
  return salePoint === 'ramp' ? sailing.departedAt === null : getSalesEnd(sailing) > now;
}

function isWithin(boats: readonly ExpectedBoat[], limits: JourneyLimits): boolean {
  const [first] = boats;
  const last = boats.at(-1);
  return (
    first !== undefined &&
    last !== undefined &&
    isAfter(first, limits) &&
    last.arrivesAt <= limits.arrivesUntil
  );
}

function isAfter({ departsAt }: ExpectedBoat, { after }: JourneyLimits): boolean {
  return departsAt > after;
}

/** A boat with its expected times, in milliseconds. */
type ExpectedBoat = { record: SailingRecord; departsAt: number; arrivesAt: number };

/**
 * The boats on sale from the first port, and those of the second half of connections, by expected departure.
 * `changes`: the minutes to change boats, by port.
 */
type Timetable = {
  first: ExpectedBoat[];
  onward: ExpectedBoat[];
  changes: ReadonlyMap<string, number>;
};

function findEnds({ boats }: BookedJourney): { from: string; to: string } {
  return { from: boats[0]?.originPortId ?? '', to: boats.at(-1)?.destinationPortId ?? '' };
}

function listUsualDays({ boats }: BookedJourney, { feed }: CatalogueRecord): ServiceDays {
  const day = getLocalDay(boats[0]?.departsAt.getTime() ?? 0, feed.timeZone);
  // Sailings after midnight may belong to the service day before.
  return { from: addDays(day, -1), to: addDays(day, DAYS_AHEAD) };
}

function describeSearch(booked: BookedJourney, days: ServiceDays): string {
  const { from, to } = findEnds(booked);
  return [from, to, booked.boats.length, days.from, days.to].join(' ');
}

/** A direct journey is replaced by direct boats, a connection by connections. */
async function readTimetable(
  db: Database,
  {
    booked,
    catalogue,
    days,
    now,
    salePoint,
  }: {
    booked: BookedJourney;
    catalogue: CatalogueRecord;
    days: ServiceDays;
    now: Date;
    salePoint: SalePoint;
  },
): Promise<Timetable> {
  const { from, to } = findEnds(booked);
  const list = async (isIncluded: (route: CatalogueRecord['routes'][number]) => boolean) => {
    const routeIds = catalogue.routes.filter(isIncluded).map(({ id }) => id);
    const boats = await listSailings(db, routeIds, {
      from: getDayPeriod(days.from, catalogue.feed.timeZone).from,
      until: getDayPeriod(days.to, catalogue.feed.timeZone).until,
    });
    return boats
      .filter((boat) => isOnSale(boat, now, salePoint))
      .map((record) => ({ record, ...getExpectedTimes(record) }))
      .toSorted((a, b) => a.departsAt - b.departsAt);
  };
  if (booked.boats.length === 1) {
    const first = await list((route) => route.originPortId === from && route.destinationPortId === to);
    return { first, onward: [], changes: new Map() };
  }
  const changes = new Map(
    findTransferPorts(catalogue, from, to).map(({ portId, minutes }) => [portId, minutes]),
  );
  return {
    first: await list((route) => route.originPortId === from && changes.has(route.destinationPortId)),
    onward: await list((route) => changes.has(route.originPortId) && route.destinationPortId === to),
    changes,
  };
}

/** Journeys within the limits, by departure. Direct ones are looked at one by one, because most callers need the first. */
function* combine(
  { first, onward, changes }: Timetable,
  isPossible: (boat: SailingRecord) => boolean,
  limits: JourneyLimits,
): Generator<Journey> {
  if (changes.size === 0) {
    for (const boat of first) if (isWithin([boat], limits) && isPossible(boat.record)) yield [boat.record];
    return;
  }
  const starts = first.filter((boat) => isAfter(boat, limits) && isPossible(boat.record));
  const ends = onward.filter(({ record }) => isPossible(record));
  const journeys = [...changes].flatMap(([portId, minutes]) =>
    combineSailings(
      starts.filter(({ record }) => record.destination.id === portId),
      ends.filter(({ record }) => record.origin.id === portId),
      minutes,
    ),
  );
  for (const boats of journeys.toSorted(([a], [b]) => a.departsAt - b.departsAt)) {
    if (isWithin(boats, limits)) yield boats.map(({ record }) => record);
  }
}
