import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema, InstantSchema } from '#contract/common.ts';

export const PortSchema = z.object({
  id: IdSchema,
  code: z.string(),
  name: z.string(),
  time_zone: z.string(),
  lat: z.nullable(z.number()),
  lon: z.nullable(z.number()),
  address: z.string(),
  step_free: z.enum(['yes', 'no', 'partly', 'unknown']),
  /** Minutes from the arrival of one boat to the departure of the next; null: no changes are sold here. */
  transfer_minutes: z.nullable(z.int()),
});
export type Port = z.infer<typeof PortSchema>;

/** One direction between two ports. The return journey is another route, `return_route_id`. */
export const RouteSchema = z.object({
  id: IdSchema,
  code: z.string(),
  name: z.string(),
  origin_port_id: IdSchema,
  destination_port_id: IdSchema,
  return_route_id: z.nullable(IdSchema),
  crossing_minutes: z.int(),
  carries_vehicles: z.boolean(),
  carries_bicycles: z.boolean(),
  max_vehicle_length_cm: z.nullable(z.int()),
  max_vehicle_height_cm: z.nullable(z.int()),
  /** Cheapest adult fare on sale, for "from $12.75". Null if no fare is on sale. */
  from_amount: z.nullable(AmountSchema),
});
export type Route = z.infer<typeof RouteSchema>;

export const PassengerTypeSchema = z.object({
  id: IdSchema,
  code: z.string(),
  name: z.string(),
  age_min: z.nullable(z.int()),
  age_max: z.nullable(z.int()),
  requires_proof: z.boolean(),
  needs_adult: z.boolean(),
  /** The type preselected for one passenger. */
  is_default: z.boolean(),
});
export type PassengerType = z.infer<typeof PassengerTypeSchema>;

export const VehicleTypeSchema = z.object({
  id: IdSchema,
  code: z.string(),
  name: z.string(),
  length_required: z.boolean(),
  min_length_cm: z.nullable(z.int()),
  max_length_cm: z.nullable(z.int()),
  max_height_cm: z.nullable(z.int()),
  /** The height is asked only if the vehicle may be taller than this (the normal deck); null: never asked. */
  height_required: z.boolean(),
  includes_driver: z.boolean(),
  plate_required: z.boolean(),
  allows_trailer: z.boolean(),
});
export type VehicleType = z.infer<typeof VehicleTypeSchema>;

/** Rules of a fare class after the purchase. The order stores a full copy, so later changes do not affect it. */
export const FarePolicySchema = z.object({
  change: z.object({
    allowed: z.boolean(),
    fee: AmountSchema,
    /** Minutes before departure until which a change is possible. */
    until_minutes: z.int(),
  }),
  /**
   * Tiers, largest `until_minutes_before` first, counted from the departure of each direction. `refund_bp`: basis points
   * of the amount paid, before the fee is deducted: once per order (also if `fee_per` is absent), or for each ticket.
   */
  cancel: z.array(
    z.object({
      until_minutes_before: z.int(),
      refund_bp: z.int(),
      fee: AmountSchema,
      fee_per: z.optional(z.enum(['order', 'ticket'])),
    }),
  ),
  no_show: z.enum(['forfeit', 'travel_next_same_day']),
  /**
   * Days after the departure of a canceled sailing for which its passengers may keep an open ticket, without a sailing.
   * Absent: the fare has no open tickets.
   */
  open_ticket_days: z.optional(z.int()),
  /** `trip_card`: the order's owner may have a refund on a trip card. Absent: it goes to where the payment came from. */
  refund_to: z.optional(z.enum(['original', 'trip_card'])),
});
export type FarePolicy = z.infer<typeof FarePolicySchema>;

export const FareClassSchema = z.object({
  id: IdSchema,
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  policy: FarePolicySchema,
});
export type FareClass = z.infer<typeof FareClassSchema>;

/** All data that the purchase screen needs before a day is chosen. */
export const CatalogueSchema = z.object({
  ports: z.array(PortSchema),
  routes: z.array(RouteSchema),
  passenger_types: z.array(PassengerTypeSchema),
  vehicle_types: z.array(VehicleTypeSchema),
  fare_classes: z.array(FareClassSchema),
  currency: CurrencySchema,
  /** First and last service day on sale, per the timetable. */
  on_sale_from: z.string(),
  on_sale_until: z.string(),
  max_party: z.int(),
  /** Hours before departure by which assistance must be asked for to be promised; absent: not asked for online. */
  assistance_notice_hours: z.optional(z.int()),
  terms_version: z.string(),
  as_of: InstantSchema,
});
export type Catalogue = z.infer<typeof CatalogueSchema>;

/** One published fare, for clients that read fares without buying. */
export const FareSchema = z.object({
  id: IdSchema,
  route_id: IdSchema,
  fare_class_id: IdSchema,
  kind: z.enum(['passenger', 'vehicle', 'bicycle']),
  passenger_type_id: z.nullable(IdSchema),
  vehicle_type_id: z.nullable(IdSchema),
  amount: AmountSchema,
  currency: CurrencySchema,
  /** Vehicles: the fare covers up to `base_cm`; every started `step_cm` above costs `step_amount` more. */
  base_cm: z.nullable(z.int()),
  step_cm: z.nullable(z.int()),
  step_amount: z.nullable(AmountSchema),
});
export type Fare = z.infer<typeof FareSchema>;

/** What the operator says today. */
export const ServiceNoticeSchema = z.object({
  /** The name of the port or line that it is about; null: all of them. */
  about: z.nullable(z.string()),
  text: z.string(),
});
export type ServiceNotice = z.infer<typeof ServiceNoticeSchema>;

/** Data that the server embeds in the public home page, so that the page needs no API call. */
export type HomeData = {
  catalogue: Catalogue;
  /** What the operator said then. */
  notices: readonly ServiceNotice[];
  /** The operator's calendar day when the page was rendered. */
  today: string;
  /** ISO instant. */
  today_ends_at: string;
};
