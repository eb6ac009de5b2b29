import type { Database } from '../database/database.ts';
import type { OrderRow } from '../database/schema/sales.ts';
import { ApiError } from '../http/api-error.ts';
import { loadCatalogue } from '../sailings/queries.ts';

/**
 * Requires a license plate for vehicle types that need one.
 * @throws {ApiError} plate_required
 */
export async function requirePlate(
  db: Database,
  { vehicle, plate }: Pick<OrderRow, 'vehicle' | 'plate'>,
): Promise<void> {
  if (vehicle === null || plate !== null) return;
  const { vehicleTypes } = await loadCatalogue(db);
  if (vehicleTypes.find(({ code }) => code === vehicle.type)?.plateRequired) {
    throw new ApiError('plate_required', { field: 'plate' });
  }
}
