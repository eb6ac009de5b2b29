import { findPortsByChange, findTransferPorts } from '#domain/sailings/connections.ts';
import { formatList } from '#messages/intl.ts';
import type { Units } from '#web/features/site/lengths.ts';
import { parseLength } from '#web/features/site/units.ts';
import { textLanguage } from '#web/language/page-language.ts';
import type {
  Catalogue,
  ConnectionsQuery,
  QuoteRequest,
  Route,
  SailingDaysQuery,
  SailingsQuery,
  Vehicle,
  VehicleType,
} from '#web/platform/api/types.ts';
import { addDays, clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';

/** The values of the trip form: sizes as typed, everything else as in the API. */
export type TripSearch = {
  tripType: 'one-way' | 'return';
  from: string;
  to: string;
  outDate: IsoDate;
  backDate: IsoDate;
  /** Counts by the passenger type's code. */
  passengers: Readonly<Record<string, number>>;
  /** The vehicle type's code; empty without a vehicle. */
  vehicle: string;
  length: string;
  height: string;
  hasTrailer: boolean;
  trailer: string;
  bicycles: number;
  promoCode: string;
};

export type Direction = 'out' | 'back';

const USUAL_STAY_DAYS = 2;

export function defaultTripSearch(catalogue: Catalogue, today: IsoDate): TripSearch {
  const route = catalogue.routes[0];
  const type = catalogue.passengerTypes.find(({ isDefault }) => isDefault) ?? catalogue.passengerTypes[0];
  const outDate = clampDay(today, catalogue.onSaleFrom, catalogue.onSaleUntil);
  return {
    tripType: 'one-way',
    from: route?.originPortId ?? '',
    to: route?.destinationPortId ?? '',
    outDate,
    backDate: clampDay(addDays(outDate, USUAL_STAY_DAYS), outDate, catalogue.onSaleUntil),
    passengers: type ? { [type.code]: 1 } : {},
    vehicle: '',
    length: '',
    height: '',
    hasTrailer: false,
    trailer: '',
    bicycles: 0,
    promoCode: '',
  };
}

/** The values to show: dates that have passed move to the first day on sale. */
export function currentTripSearch(trip: TripSearch | null, catalogue: Catalogue, today: IsoDate): TripSearch {
  if (trip === null) return defaultTripSearch(catalogue, today);
  const earliest = clampDay(today, catalogue.onSaleFrom, catalogue.onSaleUntil);
  if (trip.outDate === '' || trip.outDate >= earliest) return trip;
  const backDate = trip.backDate === '' ? '' : clampDay(trip.backDate, earliest);
  return { ...trip, outDate: earliest, backDate };
}

export function findRoute(catalogue: Catalogue, from: string, to: string): Route | null {
  return (
    catalogue.routes.find((route) => route.originPortId === from && route.destinationPortId === to) ?? null
  );
}

export function originIds({ routes }: Catalogue): string[] {
  return routes.map(({ originPortId }) => originPortId);
}

/** The ports that direct boats reach, then those with one change. */
export function destinationIds(catalogue: Catalogue, from: string): string[] {
  const direct = catalogue.routes.filter((route) => route.originPortId === from);
  return [...direct.map(({ destinationPortId }) => destinationPortId), ...findPortsByChange(catalogue, from)];
}

/** Where boats are changed, like "Heron Island or Port Madrona", by the ids of the ports that only a change reaches. */
export function nameTransferPorts(catalogue: Catalogue, from: string): Map<string, string> {
  const name = (to: string) => {
    const names = findTransferPorts(catalogue, from, to).map(({ portId }) => findPortName(catalogue, portId));
    return formatList(textLanguage(), names, { type: 'disjunction' });
  };
  return new Map(findPortsByChange(catalogue, from).map((to) => [to, name(to)]));
}

/** By a direct boat or with one change. */
export function canTravel(catalogue: Catalogue, from: string, to: string): boolean {
  return destinationIds(catalogue, from).includes(to);
}

/** The destination stays if there is a route to it. */
export function changeOrigin(catalogue: Catalogue, { to }: TripSearch, from: string): Partial<TripSearch> {
  const destinations = destinationIds(catalogue, from);
  return { from, to: destinations.includes(to) ? to : (destinations[0] ?? '') };
}

/** The lowest price of the trip. The catalogue knows it only for one adult on foot, one way. */
export function findFromAmount(catalogue: Catalogue, trip: TripSearch): number | null {
  const usual = catalogue.passengerTypes.find(({ isDefault }) => isDefault);
  const isOneAdult = partySize(trip) === 1 && usual !== undefined && trip.passengers[usual.code] === 1;
  if (!isOneAdult || trip.tripType === 'return' || trip.vehicle !== '' || trip.bicycles > 0) return null;
  return findRoute(catalogue, trip.from, trip.to)?.fromAmount ?? null;
}

export function findPortName({ ports }: Catalogue, id: string | undefined): string {
  return ports.find((port) => port.id === id)?.name ?? '';
}

export function findVehicleType(catalogue: Catalogue, trip: TripSearch): VehicleType | null {
  return catalogue.vehicleTypes.find(({ code }) => code === trip.vehicle) ?? null;
}

export function partySize({ passengers }: Pick<TripSearch, 'passengers'>): number {
  return Object.values(passengers).reduce((sum, count) => sum + count, 0);
}

export function findLegPorts({ from, to }: TripSearch, leg: Direction): [string, string] {
  return leg === 'out' ? [from, to] : [to, from];
}

/** Null if the leg is not part of the trip, or its ports are not connected. */
export function findSailingsSearch(
  catalogue: Catalogue,
  trip: TripSearch,
  leg: Direction,
  units: Units,
): SailingsQuery | ConnectionsQuery | null {
  const [from, to] = findLegPorts(trip, leg);
  if (!canTravel(catalogue, from, to) || (leg === 'back' && trip.tripType === 'one-way')) return null;
  const route = findRoute(catalogue, from, to);
  return {
    ...(route === null ? { originPortId: from, destinationPortId: to } : { routeId: route.id }),
    date: leg === 'out' ? trip.outDate : trip.backDate,
    ...buildPartyQuery(catalogue, trip, units),
  };
}

/** The days of a leg with their lowest prices. */
export function findDaysSearch(
  catalogue: Catalogue,
  trip: TripSearch,
  { leg, ...days }: { leg: Direction; from: IsoDate; to: IsoDate },
  units: Units,
): SailingDaysQuery {
  const [originPortId, destinationPortId] = findLegPorts(trip, leg);
  return { originPortId, destinationPortId, ...days, ...buildPartyQuery(catalogue, trip, units) };
}

/** Without the promo code: an invalid one must not empty the list of sailings. The quote reports it. */
function buildPartyQuery(catalogue: Catalogue, trip: TripSearch, units: Units) {
  const { type: vehicleType, ...sizes } = buildVehicle(catalogue, trip, units) ?? {};
  return {
    passengers: countPassengers(trip),
    ...(vehicleType !== undefined && { vehicleType, ...sizes }),
    ...(trip.bicycles > 0 && { bicycles: trip.bicycles }),
  };
}

export function buildQuoteRequest(
  catalogue: Catalogue,
  trip: TripSearch,
  units: Units,
  legs: QuoteRequest['legs'],
  fareClass: string,
): QuoteRequest {
  return {
    legs,
    passengers: Object.entries(countPassengers(trip)).map(([type, count]) => ({ type, count })),
    vehicle: buildVehicle(catalogue, trip, units),
    bicycles: trip.bicycles,
    fareClass,
    promoCode: trip.promoCode.trim() || null,
  };
}

function countPassengers({ passengers }: TripSearch): Record<string, number> {
  return Object.fromEntries(Object.entries(passengers).filter(([, count]) => count > 0));
}

/** With the sizes this type requires; those typed for another type are left out. */
export function buildVehicle(catalogue: Catalogue, trip: TripSearch, units: Units): Vehicle | null {
  const type = findVehicleType(catalogue, trip);
  if (type === null) return null;
  const lengthCm = type.lengthRequired ? parseLength(trip.length, units) : null;
  const heightCm = type.heightRequired ? parseLength(trip.height, units) : null;
  const trailerCm = type.allowsTrailer && trip.hasTrailer ? parseLength(trip.trailer, units) : null;
  return {
    type: type.code,
    ...(lengthCm !== null && { lengthCm }),
    ...(heightCm !== null && { heightCm }),
    ...(trailerCm !== null && { trailerCm }),
  };
}
