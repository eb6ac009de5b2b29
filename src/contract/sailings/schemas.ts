import * as z from 'zod/mini';
import {
  CatalogueSchema,
  FareSchema,
  PassengerTypeSchema,
  PortSchema,
  RouteSchema,
  VehicleTypeSchema,
} from '#contract/catalogue/schemas.ts';
import {
  AmountSchema,
  CodeSchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  LocalTimeSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { CODE_LENGTH, VEHICLE_SIZE_LIMITS } from '#contract/limits.ts';
import * as endpoints from './endpoints.ts';

export const SAILING_STATUSES = [
  'scheduled',
  'check_in_open',
  'check_in_closed',
  'departed',
  'arrived',
  'canceled',
  'suspended',
] as const;

/** Departure and arrival, with the IANA zones of the ports and their abbreviations at these two instants. */
export const CROSSING_TIMES = {
  departs_at: InstantSchema,
  arrives_at: InstantSchema,
  departs_local: LocalTimeSchema,
  arrives_local: LocalTimeSchema,
  departs_zone: z.string(),
  arrives_zone: z.string(),
  departs_zone_label: z.string(),
  arrives_zone_label: z.string(),
};

/**
 * Sentences about boarding and facilities, only of what the operator says. Absent in answers that a device saved with an
 * earlier release.
 */
export const AccessibilitySchema = z.optional(z.array(z.string()));

/** A port that the boat calls at between the sailing's two ports, with its own local times. */
export const StopBetweenSchema = z.object({
  port_id: IdSchema,
  name: z.string(),
  arrives_local: LocalTimeSchema,
  departs_local: LocalTimeSchema,
});
export type StopBetween = z.infer<typeof StopBetweenSchema>;

/**
 * Whether the party can buy this sailing online. `full` means that a resource it needs is used up; a sailing whose
 * online sales have ended is `closed_online` even if it is empty.
 */
const AvailabilitySchema = z.object({
  state: z.enum(['on_sale', 'low', 'full', 'closed_online', 'canceled', 'unknown']),
  /** Whether the party of the query fits. */
  fits: z.boolean(),
  /** Passenger places left, capped at 9 because exact sales are confidential. */
  left: z.nullable(z.int()),
  /** Percentage of passenger places taken, or of lane length for a party with a vehicle. */
  fullness_percent: z.nullable(z.int()),
  /** A sentence the customer can act on. */
  text: z.string(),
  as_of: InstantSchema,
});
export type Availability = z.infer<typeof AvailabilitySchema>;

export const SailingSchema = z.object({
  id: IdSchema,
  route_id: IdSchema,
  service_date: DaySchema,
  status: z.enum(SAILING_STATUSES),
  delay_minutes: z.int(),
  status_text: z.string(),
  ...CROSSING_TIMES,
  duration_minutes: z.int(),
  /** In order; empty for a direct boat. Missing in sailings saved by an earlier release. */
  stops_between: z.optional(z.array(StopBetweenSchema)),
  /** The line that serves it, because several may connect two ports. Missing like `stops_between`. */
  line_name: z.optional(z.string()),
  vessel: z.object({ id: IdSchema, name: z.string(), accessibility_notes: z.string() }),
  accessibility: AccessibilitySchema,
  check_in_closes_at: InstantSchema,
  check_in_closes_local: LocalTimeSchema,
  sales_close_at: InstantSchema,
  availability: AvailabilitySchema,
  /** Price of the party of the query in the cheapest fare class; null if it cannot be sold. */
  from_amount: z.nullable(AmountSchema),
  currency: CurrencySchema,
  version: z.int(),
  as_of: InstantSchema,
});
export type Sailing = z.infer<typeof SailingSchema>;

/** A journey over two sailings, for ports without a direct boat. */
const ConnectionSchema = z.object({
  first: SailingSchema,
  onward: SailingSchema,
  transfer_port: z.object({ id: IdSchema, name: z.string() }),
  /** Minutes between the two boats. */
  transfer_minutes: z.int(),
  duration_minutes: z.int(),
  /** Whether the party can buy both; of the sailing that refuses it, if one does. */
  availability: AvailabilitySchema,
  /** Price of the party of the query in the cheapest fare class of both; null if it cannot be sold. */
  from_amount: z.nullable(AmountSchema),
  currency: CurrencySchema,
});
export type Connection = z.infer<typeof ConnectionSchema>;

const count = z.coerce.number().check(z.int(), z.gte(0), z.lte(99));
const centimetres = (limit: number) => z.coerce.number().check(z.int(), z.gte(0), z.lte(limit));

/** The party of a search, after `passengers[code]=n` has been merged into `passengers`. */
const PARTY_QUERY = {
  passengers: z._default(z.record(CodeSchema, count), {}),
  vehicle_type: z.optional(CodeSchema),
  length_cm: z.optional(centimetres(VEHICLE_SIZE_LIMITS.length)),
  height_cm: z.optional(centimetres(VEHICLE_SIZE_LIMITS.height)),
  trailer_cm: z.optional(centimetres(VEHICLE_SIZE_LIMITS.trailer)),
  bicycles: z.optional(count),
  promo_code: z.optional(plainText(0, CODE_LENGTH)),
};

const SailingsQuerySchema = z.strictObject({ route_id: IdSchema, date: DaySchema, ...PARTY_QUERY });
export type SailingsQuery = z.infer<typeof SailingsQuerySchema>;

const ConnectionsQuerySchema = z.strictObject({
  origin_port_id: IdSchema,
  destination_port_id: IdSchema,
  date: DaySchema,
  ...PARTY_QUERY,
});
export type ConnectionsQuery = z.infer<typeof ConnectionsQuerySchema>;

const SailingDaysQuerySchema = z.strictObject({
  origin_port_id: IdSchema,
  destination_port_id: IdSchema,
  from: DaySchema,
  to: DaySchema,
  ...PARTY_QUERY,
});
export type SailingDaysQuery = z.infer<typeof SailingDaysQuerySchema>;

/**
 * What a party can buy on a day. `full`: some sailings run, and the places the party needs are taken. `unavailable`: no
 * sailing is sold to the party online, for another reason. `none`: no sailings.
 */
export const SailingDaySchema = z.object({
  day: DaySchema,
  state: z.enum(['on_sale', 'full', 'canceled', 'unavailable', 'none']),
  /** The lowest price of the party, one way, in the cheapest fare class; null unless the day is on sale. */
  from_amount: z.nullable(AmountSchema),
  currency: CurrencySchema,
});
export type SailingDay = z.infer<typeof SailingDaySchema>;

/** An entry of the compact timetable, small enough to store a week of it on a phone. */
export const TimetableEntrySchema = z.object({
  sailing_id: IdSchema,
  service_date: DaySchema,
  departs_at: InstantSchema,
  departs_local: LocalTimeSchema,
  arrives_local: LocalTimeSchema,
  vessel_name: z.string(),
  status: z.enum(SAILING_STATUSES),
});
export type TimetableEntry = z.infer<typeof TimetableEntrySchema>;

export const sailingCalls = describeCalls(endpoints, {
  getCatalogue: {
    summary: 'Get everything the purchase screen needs before a day is chosen',
    response: CatalogueSchema,
  },
  listPorts: { summary: 'List ports', response: z.array(PortSchema) },
  listRoutes: { summary: 'List routes, one per direction', response: z.array(RouteSchema) },
  getTimetable: {
    summary: 'Get the compact timetable between the two ports of a route, small enough to store on a phone',
    query: z.strictObject({ from: z.optional(DaySchema), to: z.optional(DaySchema) }),
    response: z.array(TimetableEntrySchema),
    errors: ['not_found'],
  },
  listPassengerTypes: { summary: 'List passenger types', response: z.array(PassengerTypeSchema) },
  listVehicleTypes: { summary: 'List vehicle types', response: z.array(VehicleTypeSchema) },
  listFares: {
    summary: 'List the published fares of a route',
    query: z.strictObject({ route_id: IdSchema, date: z.optional(DaySchema) }),
    response: z.array(FareSchema),
    errors: ['not_found'],
  },
  searchSailings: {
    summary:
      'List the sailings between the two ports of a route that depart on a day, with availability and price for a party',
    query: SailingsQuerySchema,
    response: z.array(SailingSchema),
    errors: ['not_found'],
  },
  searchConnections: {
    summary:
      'List the journeys with one change between two ports that no direct boat connects, with availability and price for a party',
    query: ConnectionsQuerySchema,
    response: z.array(ConnectionSchema),
    errors: ['not_found'],
  },
  listSailingDays: {
    summary: 'List the days of a period, at most 42, with the lowest price of a party between two ports',
    query: SailingDaysQuerySchema,
    response: z.array(SailingDaySchema),
    errors: ['not_found'],
  },
  getSailing: {
    summary: 'Get a sailing',
    response: SailingSchema,
    errors: ['not_found'],
  },
});
