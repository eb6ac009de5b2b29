import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import type { Party, VehicleRules } from './fare-book.ts';
import { countPassengers } from './fares.ts';
import { getVehicleLengthCm, needsTallLane } from './vehicles.ts';

export type CapacityResource = 'passenger' | 'lane_cm' | 'tall_lane_cm' | 'bicycle';
export type CapacityItem = { resource: CapacityResource; amount: number };

/** Lane length a vehicle needs in centimetres: its length, its trailer and the gap to the next vehicle. */
export function getLaneNeeded(
  vehicle: Vehicle,
  type: VehicleRules & { gapCm: number },
  vessel: { normalClearanceCm: number | null },
): CapacityItem {
  const amount = Math.ceil(getVehicleLengthCm(vehicle, type) + type.gapCm);
  return { resource: needsTallLane(vehicle, vessel) ? 'tall_lane_cm' : 'lane_cm', amount };
}

/** The capacity a party needs on a sailing, by resource. Infants count, because the certificate limits people. */
export function getCapacityNeeded(
  party: Party,
  vehicleType: (VehicleRules & { gapCm: number }) | null,
  vessel: { normalClearanceCm: number | null },
): CapacityItem[] {
  const items: CapacityItem[] = [{ resource: 'passenger', amount: countPassengers(party) }];
  if (party.vehicle && vehicleType) items.push(getLaneNeeded(party.vehicle, vehicleType, vessel));
  if (party.bicycles > 0) items.push({ resource: 'bicycle', amount: party.bicycles });
  return items.filter(({ amount }) => amount > 0);
}
