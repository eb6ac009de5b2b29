import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';

/**
 * Requires a license plate for vehicle types that need one, unless the operator's settings let rentals be booked without.
 * @throws {ApiError} plate_required
 */
export async function requirePlate(
  db: Database,
  { vehicle, plate }: Pick<OrderRow, 'vehicle' | 'plate'>,
  { rentals_without_plate: allowsRentals = false }: Pick<WebSettings, 'rentals_without_plate'>,
): Promise<void> {
  if (vehicle === null || plate !== null || allowsRentals) return;
  const { vehicleTypes } = await loadCatalogue(db);
  if (vehicleTypes.find(({ code }) => code === vehicle.type)?.plateRequired) {
    throw new ApiError('plate_required', { field: 'plate' });
  }
}
