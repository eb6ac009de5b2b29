import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import type { Refusal, SailingToPrice, VehicleRules } from './fare-book.ts';

/** Overall length including the trailer, as counted by fares and lanes. */
export function getVehicleLengthCm(vehicle: Vehicle, type: VehicleRules): number {
  return (vehicle.length_cm ?? type.fixedLaneCm ?? type.maxLengthCm ?? 0) + (vehicle.trailer_cm ?? 0);
}

/** Whether the vehicle is higher than the normal deck allows and therefore needs the tall lane. */
export function needsTallLane(vehicle: Vehicle, vessel: { normalClearanceCm: number | null }): boolean {
  return (
    vessel.normalClearanceCm !== null &&
    vehicle.height_cm !== undefined &&
    vehicle.height_cm > vessel.normalClearanceCm
  );
}

/** Why a vehicle cannot be taken on this sailing; null if it can. */
export function checkVehicle(
  vehicle: Vehicle,
  type: VehicleRules,
  { route, vessel }: Pick<SailingToPrice, 'route' | 'vessel'>,
): Refusal | null {
  if (!route.carriesVehicles) return { ok: false, code: 'vehicles_not_carried', field: 'vehicle' };
  const missing = missingField(vehicle, type);
  if (missing) return { ok: false, code: 'invalid_input', field: missing };

  const length = getVehicleLengthCm(vehicle, type);
  const longest = smallest(type.maxLengthCm, route.maxVehicleLengthCm);
  if (length > longest) return { ok: false, code: 'vehicle_too_long', field: 'vehicle.length_cm' };
  if (vehicle.length_cm !== undefined && length < (type.minLengthCm ?? 0)) {
    return { ok: false, code: 'invalid_input', field: 'vehicle.length_cm' };
  }
  const clearance = vessel.tallClearanceCm ?? vessel.normalClearanceCm;
  const highest = smallest(type.maxHeightCm, route.maxVehicleHeightCm, clearance);
  if ((vehicle.height_cm ?? 0) > highest) {
    return { ok: false, code: 'vehicle_too_high', field: 'vehicle.height_cm' };
  }
  return null;
}

function missingField(vehicle: Vehicle, type: VehicleRules): string | null {
  if (type.lengthRequired && vehicle.length_cm === undefined) return 'vehicle.length_cm';
  if (type.heightRequired && vehicle.height_cm === undefined) return 'vehicle.height_cm';
  if ((vehicle.trailer_cm ?? 0) > 0 && !type.allowsTrailer) return 'vehicle.trailer_cm';
  return null;
}

function smallest(...limits: (number | null)[]): number {
  return Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
}
