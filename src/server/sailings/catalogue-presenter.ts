import {
  type Catalogue,
  type Fare,
  type FareClass,
  FareClassSchema,
  FareSchema,
  type PassengerType,
  PassengerTypeSchema,
  type Port,
  PortSchema,
  type Route,
  RouteSchema,
  type VehicleType,
  VehicleTypeSchema,
} from '#contract/catalogue/schemas.ts';
import { isOnWeekday } from '#domain/time/days.ts';
import { present } from '../core/present.ts';
import type { CatalogueRecord } from './queries.ts';

/** All data the purchase screen needs, for a service day. */
export function presentCatalogue(
  catalogue: CatalogueRecord,
  { today, now, termsVersion }: { today: string; now: Date; termsVersion: string },
): Catalogue {
  const { feed } = catalogue;
  return {
    ports: catalogue.ports.filter((port) => isServed(catalogue, port.id)).map(presentPort),
    routes: presentRoutes(catalogue, today),
    passenger_types: catalogue.passengerTypes.map(presentPassengerType),
    vehicle_types: catalogue.vehicleTypes.map(presentVehicleType),
    fare_classes: catalogue.fareClasses.map(presentFareClass),
    currency: feed.currency,
    on_sale_from: today,
    on_sale_until: feed.windowUntil > today ? feed.windowUntil : today,
    max_party: feed.maxParty,
    ...(feed.assistanceNoticeHours === null ? {} : { assistance_notice_hours: feed.assistanceNoticeHours }),
    terms_version: termsVersion,
    as_of: now.toISOString(),
  };
}

/** A port may be only a stop in between, without tickets to or from it. */
function isServed({ routes }: CatalogueRecord, portId: string): boolean {
  return routes.some((route) => route.originPortId === portId || route.destinationPortId === portId);
}

export function presentPort(port: CatalogueRecord['ports'][number]): Port {
  return present(PortSchema, port);
}

type RouteRow = CatalogueRecord['routes'][number];

/** Each pair of ports once, by the first line that serves it, because sailings of all its lines are listed together. */
export function presentRoutes(catalogue: CatalogueRecord, today: string): Route[] {
  const firstOfPair = new Map<string, RouteRow>();
  for (const route of catalogue.routes) {
    const key = keyOfPorts(route.originPortId, route.destinationPortId);
    if (!firstOfPair.has(key)) firstOfPair.set(key, route);
  }
  return [...firstOfPair.values()].map((route) => {
    const back = firstOfPair.get(keyOfPorts(route.destinationPortId, route.originPortId));
    const lines = catalogue.routes.filter((each) => hasSamePorts(each, route));
    return present(RouteSchema, {
      ...route,
      returnRouteId: back?.id ?? null,
      carriesVehicles: lines.some((each) => each.carriesVehicles),
      carriesBicycles: lines.some((each) => each.carriesBicycles),
      fromAmount: cheapestFare(catalogue, lines, today),
    });
  });
}

export function hasSamePorts(a: RouteRow, b: RouteRow): boolean {
  return a.originPortId === b.originPortId && a.destinationPortId === b.destinationPortId;
}

function keyOfPorts(originId: string, destinationId: string): string {
  return `${originId} ${destinationId}`;
}

/** Cheapest fare of the default passenger type that is or will be valid. */
function cheapestFare(catalogue: CatalogueRecord, lines: readonly RouteRow[], today: string): number | null {
  const usual = catalogue.passengerTypes.find((type) => type.isDefault);
  const amounts = catalogue.fares
    .filter((fare) => fare.passengerTypeId === usual?.id && lines.some(({ id }) => id === fare.routeId))
    .filter((fare) => fare.kind === 'passenger' && (fare.validUntil === null || fare.validUntil >= today))
    .map((fare) => fare.amount);
  return amounts.length > 0 ? Math.min(...amounts) : null;
}

export function presentPassengerType(type: CatalogueRecord['passengerTypes'][number]): PassengerType {
  return present(PassengerTypeSchema, type);
}

export function presentVehicleType(type: CatalogueRecord['vehicleTypes'][number]): VehicleType {
  return present(VehicleTypeSchema, { ...type, includesDriver: type.includedDriverTypeId !== null });
}

function presentFareClass(fareClass: CatalogueRecord['fareClasses'][number]): FareClass {
  return present(FareClassSchema, fareClass);
}

/** The fares that apply on a route and service day, after resolving priorities. */
export function presentFares({ fares, feed }: CatalogueRecord, routeId: string, day: string): Fare[] {
  const valid = fares.filter(
    (fare) =>
      fare.routeId === routeId &&
      (fare.validFrom === null || fare.validFrom <= day) &&
      (fare.validUntil === null || fare.validUntil >= day) &&
      isOnWeekday(fare.weekdays, day),
  );
  const sameThing = Map.groupBy(valid, (fare) =>
    [fare.fareClassId, fare.kind, fare.passengerTypeId, fare.vehicleTypeId].join(' '),
  );
  return [...sameThing.values()].flatMap((group) => {
    const [fare] = group.toSorted((a, b) => b.priority - a.priority);
    return fare ? present(FareSchema, { ...fare, currency: feed.currency }) : [];
  });
}
