import * as z from 'zod/mini';
import { AmountSchema, CodeSchema, CurrencySchema, IdSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { DEVICE_NAME_LENGTH } from '#contract/gate/limits.ts';
import { VEHICLE_SIZE_LIMITS } from '#contract/limits.ts';
import { PaidInPersonSchema } from '#contract/payments/in-person-schemas.ts';
import * as endpoints from './endpoints.ts';

/**
 * What was measured: the whole length with everything that is attached, and the height if it matters. `vehicle_type`: of
 * another vehicle than booked.
 */
export const MEASURED = {
  length_cm: z.int().check(z.gte(1), z.lte(VEHICLE_SIZE_LIMITS.length + VEHICLE_SIZE_LIMITS.trailer)),
  height_cm: z.nullable(z.int().check(z.gte(1), z.lte(VEHICLE_SIZE_LIMITS.height))),
  vehicle_type: z.optional(CodeSchema),
};

const MeasuredVehicleSchema = z.strictObject(MEASURED);

/** `difference`: as quoted. `payment`: null if there is nothing to pay, or if the vehicle is refused. */
const RecordVehicleSchema = z.strictObject({
  ...MEASURED,
  device: plainText(1, DEVICE_NAME_LENGTH),
  decision: z.enum(['aboard', 'refused']),
  difference: AmountSchema,
  payment: z.nullable(PaidInPersonSchema),
});
export type RecordVehicle = z.infer<typeof RecordVehicleSchema>;

/**
 * What a measured vehicle costs beyond what was booked. `is_larger`: longer or higher than booked, or another
 * vehicle; only then something changes. Sizes are null if none were booked.
 */
const VehicleQuoteSchema = z.object({
  booked_length_cm: z.nullable(z.int()),
  booked_height_cm: z.nullable(z.int()),
  is_larger: z.boolean(),
  difference: AmountSchema,
  currency: CurrencySchema,
});

/**
 * `fits`: not larger than booked. `charged`: larger; the difference, which may be zero, is paid. `unpaid`: larger, and it
 * went aboard without a connection; `waived`: the desk did without the payment.
 */
export const MEASUREMENT_OUTCOMES = ['fits', 'charged', 'refused', 'unpaid', 'waived'] as const;

/** `payment`: null: nothing is taken. */
const SettleMeasurementSchema = z.strictObject({ payment: z.nullable(PaidInPersonSchema) });

const priceErrors = [
  'not_found',
  'order_closed',
  'no_fare',
  'vehicle_too_long',
  'vehicle_too_high',
] as const satisfies readonly ErrorCode[];

export const gateVehicleCalls = describeCalls(endpoints, {
  quoteVehicle: {
    summary: 'Price the difference between a vehicle as measured and as booked',
    body: MeasuredVehicleSchema,
    response: VehicleQuoteSchema,
    errors: [...priceErrors, 'sailing_not_boarding'],
  },
  recordVehicle: {
    summary: 'Record a measured vehicle, and take the difference or refuse it',
    body: RecordVehicleSchema,
    response: z.object({
      outcome: z.enum(MEASUREMENT_OUTCOMES),
      difference: AmountSchema,
      currency: CurrencySchema,
    }),
    errors: [
      ...priceErrors,
      ...['sailing_not_boarding', 'price_changed', 'sold_out', 'trip_card_frozen', 'trip_card_lost'],
      ...['insufficient_balance', 'unknown_trip_card'],
    ] as ErrorCode[],
  },
  settleMeasurement: {
    summary: 'Take the difference of a vehicle that was measured without a connection, or do without it',
    body: SettleMeasurementSchema,
    response: z.object({ measurement_id: IdSchema }),
    errors: [
      ...priceErrors,
      ...['trip_card_frozen', 'trip_card_lost', 'insufficient_balance', 'unknown_trip_card'],
    ] as ErrorCode[],
  },
});
