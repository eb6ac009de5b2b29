import * as z from 'zod/mini';
import { ServiceNoticeSchema } from '#contract/catalogue/schemas.ts';
import { DaySchema, IdSchema, InstantSchema, LocalTimeSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { AccessibilitySchema, SAILING_STATUSES } from '#contract/sailings/schemas.ts';
import * as endpoints from './endpoints.ts';

/** A port that passengers can travel to with a departing boat. */
const DestinationSchema = z.object({
  sailing_id: IdSchema,
  port: z.object({ code: z.string(), name: z.string() }),
  /** Names of the ports that the boat calls at before, in order. */
  via: z.array(z.string()),
  accessibility: AccessibilitySchema,
  /** When the boat is expected, on the port's clock, with its zone's abbreviation. */
  arrives_local: LocalTimeSchema,
  arrives_zone_label: z.string(),
  is_canceled: z.boolean(),
  /** Whether one passenger can buy it online. */
  can_buy: z.boolean(),
  /** How much is left, as in the search: a state and a sentence. */
  availability: z.enum(['on_sale', 'low', 'full', 'closed_online', 'canceled', 'unknown']),
  availability_text: z.string(),
});

/** A boat that leaves the port. `departs_…` are the times of the timetable, `expected_local` includes the delay. */
const DepartureSchema = z.object({
  /** The operator's day, on which its sailings are searched and sold. */
  service_date: DaySchema,
  departs_at: InstantSchema,
  departs_local: LocalTimeSchema,
  expected_local: LocalTimeSchema,
  zone_label: z.string(),
  status: z.enum(SAILING_STATUSES),
  delay_minutes: z.int(),
  /** Why it is late or canceled, and what else passengers must know; without the notices of the whole list. */
  status_text: z.string(),
  check_in_opens_at: InstantSchema,
  check_in_opens_local: LocalTimeSchema,
  /** For foot passengers; vehicles must come earlier. */
  check_in_closes_at: InstantSchema,
  check_in_closes_local: LocalTimeSchema,
  vessel_name: z.string(),
  line_name: z.string(),
  /** In the order of its calls; the last one is where the boat ends. Never empty. */
  destinations: z.array(DestinationSchema),
});
export type Departure = z.infer<typeof DepartureSchema>;

export const DeparturesSchema = z.object({
  port: z.object({ id: IdSchema, code: z.string(), name: z.string(), time_zone: z.string() }),
  /** The calendar day at the port. */
  day: DaySchema,
  /** Sentences about the port or whole lines, the latest first. */
  notices: z.array(z.string()),
  /** In the order of the timetable, with boats of the day before that have not left yet. */
  departures: z.array(DepartureSchema),
  /** The first departure of the days after, if there is one within a week. */
  next: z.nullable(z.object({ day: DaySchema, departs_local: LocalTimeSchema, zone_label: z.string() })),
  as_of: InstantSchema,
});
export type Departures = z.infer<typeof DeparturesSchema>;

/** A boat between two ports, by the timetable and its delay. */
const BoatSchema = z.object({
  vessel_name: z.string(),
  origin_port_id: IdSchema,
  destination_port_id: IdSchema,
  departs_at: InstantSchema,
  arrives_at: InstantSchema,
  delay_minutes: z.int(),
});
export type Boat = z.infer<typeof BoatSchema>;

/** How the service runs at the moment, and what a map of the routes shows beside the ports of the catalogue. */
export const ServiceStatusSchema = z.object({
  /** The latest first. */
  notices: z.array(ServiceNoticeSchema),
  /** SVG paths in the units of the map: land as areas, and coasts that are lines. Null: the operator has none. */
  coastline: z.nullable(z.object({ land: z.string(), shores: z.string() })),
  /** Those under way, and those that depart within ten minutes. */
  boats: z.array(BoatSchema),
  as_of: InstantSchema,
});
export type ServiceStatus = z.infer<typeof ServiceStatusSchema>;

export const departureCalls = describeCalls(endpoints, {
  getDepartures: {
    summary: 'List the boats that leave a port on a day, as they really run',
    query: z.strictObject({ date: z.optional(DaySchema) }),
    response: DeparturesSchema,
    errors: ['not_found'],
  },
  getServiceStatus: {
    summary:
      'List the boats under way and the notices of the day, with the coastline for a map of the routes',
    response: ServiceStatusSchema,
  },
});
