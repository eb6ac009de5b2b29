import type { Units } from '#web/features/site/lengths.ts';
import { writeLength } from '#web/features/site/units.ts';
import type { Catalogue, Order, Vehicle } from '#web/platform/api/types.ts';
import type { TripSearch } from './trip-search.ts';

export type Party = NonNullable<Order['party']>;

/** The party of a link, as `bookAgainPath` writes it; null if there is none. */
export function readParty(search: URLSearchParams): Party | null {
  try {
    const party = JSON.parse(search.get('party') ?? 'null') as Partial<Party> | null;
    return Array.isArray(party?.passengers)
      ? { vehicle: null, bicycles: 0, ...party, passengers: party.passengers }
      : null;
  } catch {
    return null;
  }
}

/** The fields of the trip form, without passengers and vehicles that are no longer sold. */
export function fillParty(
  catalogue: Catalogue,
  { passengers, vehicle, bicycles }: Party,
  units: Units,
): Partial<TripSearch> {
  const counts = catalogue.passengerTypes.flatMap(({ code }) => {
    const count = passengers.reduce(
      (sum, each) => sum + (each.type === code ? Number(each.count) || 0 : 0),
      0,
    );
    return count > 0 ? [[code, count] as const] : [];
  });
  return {
    passengers: Object.fromEntries(counts),
    bicycles: Number(bicycles) || 0,
    ...fillVehicle(catalogue, vehicle, units),
  };
}

/** The fields of the trip form that describe a vehicle; none for a type that is no longer sold. */
export function fillVehicle(
  { vehicleTypes }: Catalogue,
  vehicle: Vehicle | null,
  units: Units,
): Pick<TripSearch, 'vehicle' | 'length' | 'height' | 'hasTrailer' | 'trailer'> {
  const type = vehicleTypes.find(({ code }) => code === vehicle?.type);
  const { lengthCm, heightCm, trailerCm } = type && vehicle ? vehicle : {};
  const write = (cm: number | undefined) => (cm === undefined ? '' : writeLength(cm, units));
  return {
    vehicle: type?.code ?? '',
    length: write(lengthCm),
    height: write(heightCm),
    hasTrailer: trailerCm !== undefined,
    trailer: write(trailerCm),
  };
}
