import type { Vehicle } from '#contract/orders/buy/schemas.ts';

/**
 * A vehicle as it was measured: the whole length, and the height if it was measured, in centimetres; the code of its type
 * if it is another one than booked.
 */
export type MeasuredSize = { length_cm: number; height_cm: number | null; vehicle_type?: string | undefined };

/**
 * The vehicle as it travels: at least as large as booked, because what was booked is paid. Another vehicle than booked has
 * the size that was measured.
 * @param paid up to which size the booked price and lane are good: the whole length, and the height
 */
export function applyMeasurement(
  booked: Vehicle,
  measured: MeasuredSize,
  paid: { lengthCm: number; heightCm: number },
): { vehicle: Vehicle; isLarger: boolean } {
  if (measured.vehicle_type !== undefined && measured.vehicle_type !== booked.type) {
    return {
      vehicle: {
        type: measured.vehicle_type,
        length_cm: measured.length_cm,
        ...(measured.height_cm === null ? {} : { height_cm: measured.height_cm }),
      },
      isLarger: true,
    };
  }
  const isLonger = measured.length_cm > paid.lengthCm;
  const isHigher = measured.height_cm !== null && measured.height_cm > paid.heightCm;
  return {
    vehicle: {
      ...booked,
      ...(isLonger ? { length_cm: measured.length_cm - (booked.trailer_cm ?? 0) } : {}),
      ...(isHigher && measured.height_cm !== null ? { height_cm: measured.height_cm } : {}),
    },
    isLarger: isLonger || isHigher,
  };
}
