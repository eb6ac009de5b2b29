import { randomUUID } from 'node:crypto';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import {
  fareClasses,
  fares,
  feed,
  passengerTypes,
  ports,
  promoCodes,
  routes,
  sailings,
  vehicleTypes,
  vessels,
  voyageCapacity,
  voyages,
} from '#server/database/schema/timetable.ts';

const HOUR = 3_600_000;

export const flexPolicy: FarePolicy = {
  change: { allowed: true, fee: 0, until_minutes: 60 },
  cancel: [
    { until_minutes_before: 1440, refund_bp: 10_000, fee: 0 },
    { until_minutes_before: 60, refund_bp: 8000, fee: 500 },
  ],
  no_show: 'travel_next_same_day',
};

/** Ids of a small ferry company's rows, for tests to name. */
export type Ferry = {
  routeId: string;
  vesselId: string;
  flexId: string;
  /** Sailings out, two hours apart, the first one day after `now`. */
  outward: string[];
  /** Sailings back, each three hours after the outward one of the same place. */
  back: string[];
};

/** Capacity of a sailing of this ferry; omitted resources are plentiful. */
export type FerryCapacity = { passengers?: number; laneCm?: number; tallLaneCm?: number; bicycles?: number };

/**
 * Two ports, one boat, six sailings each way. Adult $12.75, child $5.00, infant free; car $30.00 with its
 * driver up to 600 cm and $2.50 for every started 50 cm more; bicycle $3.00. Promo code TEN takes 10 % off,
 * ONCE $5.00 off and works once.
 */
export async function buildFerry(db: Database, now: Date, room: FerryCapacity = {}): Promise<Ferry> {
  const portIds = [newId('prt'), newId('prt')] as const;
  const routeIds = [newId('rte'), newId('rte')] as const;
  const vesselId = newId('ves');
  const flexId = newId('fcl');
  await db.insert(feed).values({
    name: 'ferry',
    digest: 'as built',
    currency: 'USD',
    timeZone: 'America/Los_Angeles',
    maxParty: 12,
    windowUntil: '2027-06-01',
    windowDays: 365,
    revision: randomUUID(),
    importedAt: now,
  });
  await db.insert(ports).values(
    portIds.map((id, index) => ({
      id,
      gtfsStopId: `stop-${index}`,
      code: index === 0 ? 'NOR' : 'SOU',
      name: index === 0 ? 'North Quay' : 'South Quay',
      timeZone: 'America/Los_Angeles',
    })),
  );
  await db.insert(routes).values(
    routeIds.map((id, index) => ({
      id,
      gtfsRouteId: `route-${index}`,
      code: index === 0 ? 'north-south' : 'south-north',
      name: index === 0 ? 'North Quay to South Quay' : 'South Quay to North Quay',
      originPortId: portIds[index] ?? '',
      destinationPortId: portIds[1 - index] ?? '',
      crossingMinutes: 60,
      carriesVehicles: true,
      carriesBicycles: true,
      maxVehicleLengthCm: 1500,
    })),
  );
  await db.insert(vessels).values({
    id: vesselId,
    code: 'boat',
    name: 'MV Harbor Seal',
    passengerCapacity: 1000,
    normalClearanceCm: 220,
    tallClearanceCm: 420,
  });
  await buildPrices(db, routeIds, flexId);
  const [outward = [], back = []] = await Promise.all(
    routeIds.map((routeId, index) =>
      buildSailings(db, {
        routeId,
        vesselId,
        portIds: index === 0 ? portIds : portIds.toReversed(),
        now,
        room,
        delay: index * 3,
      }),
    ),
  );
  return { routeId: routeIds[0], vesselId, flexId, outward, back };
}

async function buildPrices(db: Database, routeIds: readonly string[], flexId: string): Promise<void> {
  const adult = newId('pty');
  const child = newId('pty');
  const infant = newId('pty');
  const car = newId('vty');
  await db.insert(passengerTypes).values([
    { id: adult, code: 'adult', name: 'Adult', isDefault: true, sort: 1 },
    { id: child, code: 'child', name: 'Child', needsAdult: true, sort: 2 },
    { id: infant, code: 'infant', name: 'Infant', needsAdult: true, sort: 3 },
  ]);
  await db.insert(vehicleTypes).values({
    id: car,
    code: 'car',
    name: 'Car',
    lengthRequired: true,
    maxLengthCm: 1200,
    includedDriverTypeId: adult,
    allowsTrailer: true,
  });
  await db
    .insert(fareClasses)
    .values({ id: flexId, code: 'flex', name: 'Flex', summary: 'Changes allowed', policy: flexPolicy });
  await db.insert(fares).values(
    routeIds.flatMap((routeId) => {
      const common = { routeId, fareClassId: flexId, taxBp: 1000 };
      return [
        { ...common, kind: 'passenger' as const, passengerTypeId: adult, amount: 1275 },
        { ...common, kind: 'passenger' as const, passengerTypeId: child, amount: 500 },
        { ...common, kind: 'passenger' as const, passengerTypeId: infant, amount: 0 },
        {
          ...common,
          kind: 'vehicle' as const,
          vehicleTypeId: car,
          amount: 3000,
          baseCm: 600,
          stepCm: 50,
          stepAmount: 250,
        },
        { ...common, kind: 'bicycle' as const, amount: 300 },
      ].map((fare) => ({ id: newId('far'), ...fare }));
    }),
  );
  await db.insert(promoCodes).values([
    { id: newId('prm'), code: 'TEN', kind: 'percent_bp', value: 1000 },
    { id: newId('prm'), code: 'ONCE', kind: 'amount', value: 500, maxRedemptions: 1 },
    { id: newId('prm'), code: 'FREE', kind: 'percent_bp', value: 10_000 },
  ]);
}

async function buildSailings(
  db: Database,
  {
    routeId,
    vesselId,
    portIds,
    now,
    room,
    delay,
  }: {
    routeId: string;
    vesselId: string;
    portIds: readonly string[];
    now: Date;
    room: FerryCapacity;
    delay: number;
  },
): Promise<string[]> {
  const rows = Array.from({ length: 6 }, (_, index) => {
    const departsAt = new Date(now.getTime() + (24 + index * 2 + delay) * HOUR);
    const arrivesAt = new Date(departsAt.getTime() + HOUR);
    return buildDirectVoyage({ vesselId, portIds, departsAt, arrivesAt, tripKey: `trip-${index}`, now });
  });
  await db.insert(voyages).values(rows);
  const { passengers = 300, laneCm = 20_000, tallLaneCm = 5000, bicycles = 20 } = room;
  const amounts = { passenger: passengers, lane_cm: laneCm, tall_lane_cm: tallLaneCm, bicycle: bicycles };
  await db.insert(voyageCapacity).values(
    rows.flatMap(({ id: voyageId }) =>
      (Object.keys(amounts) as (keyof typeof amounts)[]).map((resource) => ({
        ...{ voyageId, stretch: 0, resource },
        total: amounts[resource],
        sellableOnline: amounts[resource],
      })),
    ),
  );
  const sold = rows.map((voyage) => buildDirectSailing(voyage, routeId));
  await db.insert(sailings).values(sold);
  return sold.map(({ id }) => id);
}

/** A voyage from one port to another without stops in between. */
export function buildDirectVoyage({
  vesselId,
  portIds,
  departsAt,
  arrivesAt,
  tripKey,
  now,
}: {
  vesselId: string;
  portIds: readonly string[];
  departsAt: Date;
  arrivesAt: Date;
  tripKey: string;
  now: Date;
}) {
  const [origin = '', destination = ''] = portIds;
  return {
    id: newId('voy'),
    gtfsRouteId: 'line',
    gtfsTripKey: tripKey,
    vesselId,
    plannedVesselId: vesselId,
    serviceDate: departsAt.toISOString().slice(0, 10),
    stops: [
      { port_id: origin, arrives_at: null, departs_at: departsAt.toISOString() },
      { port_id: destination, arrives_at: arrivesAt.toISOString(), departs_at: null },
    ],
    updatedAt: now,
  };
}

/** The sailing of a direct voyage. Its sales close ten minutes before departure. */
export function buildDirectSailing(
  voyage: ReturnType<typeof buildDirectVoyage>,
  routeId: string,
): typeof sailings.$inferInsert & { id: string } {
  const [origin, destination] = voyage.stops;
  const departsAt = new Date(origin?.departs_at ?? '');
  return {
    id: newId('slg'),
    routeId,
    voyageId: voyage.id,
    firstStop: 0,
    lastStop: 1,
    serviceDate: voyage.serviceDate,
    departsAt,
    arrivesAt: new Date(destination?.arrives_at ?? ''),
    salesCloseAt: new Date(departsAt.getTime() - 10 * 60_000),
    updatedAt: voyage.updatedAt,
  };
}
