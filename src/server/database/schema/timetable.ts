import { isNotNull, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { TAX_PRODUCTS } from '#domain/fares/taxes.ts';
import type { DrawnCoastline } from '#domain/map/coastline.ts';
import type { SailingStatement } from '#domain/sailings/exceptions.ts';
import { amount, bytes, id, instant, references, translations } from './columns.ts';

/** Properties of the imported feed as a whole; one row. */
export const feed = pgTable('feed', {
  name: text('name').primaryKey(),
  /** SHA-256 of the files last imported, to detect that nothing changed. */
  digest: text('digest').notNull(),
  currency: text('currency').notNull(),
  timeZone: text('time_zone').notNull(),
  maxParty: integer('max_party').notNull(),
  /** Hours that passengers have to choose another sailing or the refund when theirs is canceled. */
  choiceHours: integer('choice_hours').notNull().default(72),
  /** Expected delay in minutes from which they have this choice too. */
  choiceDelayMinutes: integer('choice_delay_minutes').notNull().default(90),
  /** Hours before departure by which assistance must be asked for; null: not asked for online. */
  assistanceNoticeHours: integer('assistance_notice_hours'),
  /** Last service day with sailings. */
  windowUntil: date('window_until', { mode: 'string' }).notNull(),
  /** Days in advance for which sailings are generated. */
  windowDays: integer('window_days').notNull(),
  /** Changed by every import: data of one revision never changes. */
  revision: text('revision').notNull(),
  importedAt: instant('imported_at').notNull(),
  /**
   * Settings "web" of the feed: from its agency and its settings.json. Null: imported by a version that did not read
   * them.
   */
  settings: jsonb('settings'),
  /** Of its coastline.geojson, for the map of the routes. */
  coastline: jsonb('coastline').$type<DrawnCoastline>(),
});

/** A picture of `pictures` with its size in pixels. */
export type Picture = { file: string; width: number; height: number };

/** The operator's pictures of boats and terminals, under names made from their content. */
export const pictures = pgTable('pictures', {
  file: text('file').primaryKey(),
  content: bytes('content').notNull(),
});

const pictureColumns = () => ({
  picture: jsonb('picture').$type<Picture>(),
  /** What it shows, for people who do not see it. */
  pictureAlt: text('picture_alt').notNull().default(''),
});

export const ports = pgTable('ports', {
  id: id().primaryKey(),
  /** `stop_id` of the feed, which identifies the port across imports. */
  gtfsStopId: text('gtfs_stop_id').notNull().unique(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  timeZone: text('time_zone').notNull(),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  address: text('address').notNull().default(''),
  description: text('description').notNull().default(''),
  /** A page of the operator about it. */
  url: text('url').notNull().default(''),
  facilities: text('facilities').notNull().default(''),
  parking: text('parking').notNull().default(''),
  /** How to get there. */
  directions: text('directions').notNull().default(''),
  stepFree: text('step_free', { enum: ['yes', 'no', 'partly', 'unknown'] })
    .notNull()
    .default('unknown'),
  /** Minutes that passengers need to change boats here; null: no changes are sold. */
  transferMinutes: integer('transfer_minutes'),
  ...pictureColumns(),
  translations: translations(),
  active: boolean('active').notNull().default(true),
});

/** One direction between two ports that a line serves and sells. */
export const routes = pgTable(
  'routes',
  {
    id: id().primaryKey(),
    gtfsRouteId: text('gtfs_route_id').notNull(),
    code: text('code').notNull(),
    name: text('name').notNull(),
    /** Name of the line that serves it. */
    lineName: text('line_name').notNull().default(''),
    originPortId: references('origin_port_id', () => ports.id),
    destinationPortId: references('destination_port_id', () => ports.id),
    crossingMinutes: integer('crossing_minutes').notNull(),
    carriesVehicles: boolean('carries_vehicles').notNull().default(false),
    carriesBicycles: boolean('carries_bicycles').notNull().default(false),
    salesCloseMinutes: integer('sales_close_minutes').notNull().default(10),
    checkInOpenMinutes: integer('check_in_open_minutes').notNull().default(60),
    checkInCloseMinutesFoot: integer('check_in_close_minutes_foot').notNull().default(10),
    checkInCloseMinutesVehicle: integer('check_in_close_minutes_vehicle').notNull().default(20),
    maxVehicleLengthCm: integer('max_vehicle_length_cm'),
    maxVehicleHeightCm: integer('max_vehicle_height_cm'),
    /** The law asks for the details of each person aboard (Directive 98/41/EC). */
    needsPassengerList: boolean('needs_passenger_list').notNull().default(false),
    sort: integer('sort').notNull().default(0),
    translations: translations(),
    active: boolean('active').notNull().default(true),
  },
  (table) => [unique('routes_identity').on(table.gtfsRouteId, table.originPortId, table.destinationPortId)],
);

export const vessels = pgTable('vessels', {
  id: id().primaryKey(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  passengerCapacity: integer('passenger_capacity').notNull(),
  laneCm: integer('lane_cm').notNull().default(0),
  tallLaneCm: integer('tall_lane_cm').notNull().default(0),
  /** Vehicles higher than this need the tall lane. */
  normalClearanceCm: integer('normal_clearance_cm'),
  tallClearanceCm: integer('tall_clearance_cm'),
  bicycleCapacity: integer('bicycle_capacity').notNull().default(0),
  /** Percentage of each resource sold online; the rest is reserved for the booth. */
  onlinePercent: integer('online_percent').notNull().default(100),
  /** Null: the operator does not say. */
  wheelchairPlaces: integer('wheelchair_places'),
  accessibilityNotes: text('accessibility_notes').notNull().default(''),
  description: text('description').notNull().default(''),
  facilities: text('facilities').notNull().default(''),
  /** Where the number of people aboard is sent at each departure; null: it is only read out. */
  masterEmail: text('master_email'),
  ...pictureColumns(),
  translations: translations(),
  active: boolean('active').notNull().default(true),
});

/** A call of a voyage at a port, in ISO instants. Arrival is null at the first port, departure at the last. */
export type VoyageStop = { port_id: string; arrives_at: string | null; departs_at: string | null };

/** One run of a vessel over its stops on a service day. Stretch n leads from stop n to stop n + 1. */
export const voyages = pgTable(
  'voyages',
  {
    id: id().primaryKey(),
    /** The line: `route_id` of the feed. */
    gtfsRouteId: text('gtfs_route_id').notNull(),
    /** The operator's day; a voyage at 25:10 belongs to the day before. */
    serviceDate: date('service_date', { mode: 'string' }).notNull(),
    /** `trip_id`, with the start time for trips that the feed defines by frequency. Feeds may use an id again. */
    gtfsTripKey: text('gtfs_trip_key').notNull(),
    /** The vessel that runs: that of the timetable, or of an exception. */
    vesselId: references('vessel_id', () => vessels.id),
    plannedVesselId: references('planned_vessel_id', () => vessels.id),
    stops: jsonb('stops').$type<VoyageStop[]>().notNull(),
    /** The exception that added the voyage; null: the timetable has it. Not a foreign key: tickets outlive it. */
    exceptionId: text('exception_id'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('voyages_by_service_date').on(table.serviceDate),
    uniqueIndex('voyages_extra').on(table.exceptionId, table.serviceDate).where(isNotNull(table.exceptionId)),
  ],
);

/** What passengers book: a voyage between two of its ports. */
export const sailings = pgTable(
  'sailings',
  {
    id: id().primaryKey(),
    routeId: references('route_id', () => routes.id),
    voyageId: references('voyage_id', () => voyages.id),
    /** Indexes of its ports in the voyage's stops: the sailing covers the stretches from `first` to before `last`. */
    firstStop: integer('first_stop').notNull(),
    lastStop: integer('last_stop').notNull(),
    /** The voyage's. */
    serviceDate: date('service_date', { mode: 'string' }).notNull(),
    departsAt: instant('departs_at').notNull(),
    arrivesAt: instant('arrives_at').notNull(),
    /** Only staff decisions; check-in and departure follow from the clock, unless the gate reports them. */
    status: text('status', { enum: ['scheduled', 'suspended', 'canceled'] })
      .notNull()
      .default('scheduled'),
    /** What passengers are told, the most important first. */
    statements: jsonb('statements').$type<SailingStatement[]>().notNull().default([]),
    /** What passengers are told, as written by releases that did not store statements; empty since the next change. */
    writtenStatusText: text('status_text').notNull().default(''),
    /** Canceled because the timetable no longer contains it; scheduled again if the timetable contains it again. */
    withdrawn: boolean('withdrawn').notNull().default(false),
    delayMinutes: integer('delay_minutes').notNull().default(0),
    /** The delay that passengers were last told; 0: none. */
    notifiedDelayMinutes: integer('notified_delay_minutes').notNull().default(0),
    salesCloseAt: instant('sales_close_at').notNull(),
    /** When the gate closed check-in; null: it is open, or closes by the clock. */
    checkInClosedAt: instant('check_in_closed_at'),
    /** When the gate reported the departure; null: it follows from the clock. */
    departedAt: instant('departed_at'),
    oversubscribed: boolean('oversubscribed').notNull().default(false),
    version: integer('version').notNull().default(1),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    unique('sailings_identity').on(table.voyageId, table.routeId),
    index('sailings_by_route').on(table.routeId, table.serviceDate),
    index('sailings_by_service_date').on(table.serviceDate),
    index('sailings_by_departure').on(table.departsAt),
    check('sailings_arrive_after_departing', sql`${table.arrivesAt} > ${table.departsAt}`),
    check('sailings_stops', sql`${table.firstStop} >= 0 and ${table.lastStop} > ${table.firstStop}`),
  ],
);

export const RESOURCES = ['passenger', 'lane_cm', 'tall_lane_cm', 'bicycle'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Capacity of each stretch of a voyage by resource, and how much is taken. */
export const voyageCapacity = pgTable(
  'voyage_capacity',
  {
    voyageId: references('voyage_id', () => voyages.id, { onDelete: 'cascade' }),
    stretch: integer('stretch').notNull(),
    resource: text('resource', { enum: RESOURCES }).notNull(),
    total: integer('total').notNull(),
    sellableOnline: integer('sellable_online').notNull(),
    held: integer('held').notNull().default(0),
    sold: integer('sold').notNull().default(0),
    /** Kept from sale online: the sum of `held_back_places`. May exceed what a smaller vessel has left. */
    heldBack: integer('held_back').notNull().default(0),
    boarded: integer('boarded').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.voyageId, table.stretch, table.resource] }),
    check('capacity_not_negative', sql`${table.held} >= 0 and ${table.sold} >= 0 and ${table.boarded} >= 0`),
    // After a vessel swap more may be sold than fits: sellable_online then stays at the amount taken,
    // sailings.oversubscribed is set, and sales stop until the vessel's share has room again.
    check('capacity_never_oversold', sql`${table.held} + ${table.sold} <= ${table.sellableOnline}`),
  ],
);

export const passengerTypes = pgTable('passenger_types', {
  id: id().primaryKey(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  ageMin: integer('age_min'),
  ageMax: integer('age_max'),
  /** Includes infants: the safety count is of people. */
  usesSeat: boolean('uses_seat').notNull().default(true),
  requiresProof: boolean('requires_proof').notNull().default(false),
  needsAdult: boolean('needs_adult').notNull().default(false),
  isDefault: boolean('is_default').notNull().default(false),
  sort: integer('sort').notNull().default(0),
  translations: translations(),
  active: boolean('active').notNull().default(true),
});

export const vehicleTypes = pgTable('vehicle_types', {
  id: id().primaryKey(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  lengthRequired: boolean('length_required').notNull().default(false),
  heightRequired: boolean('height_required').notNull().default(false),
  minLengthCm: integer('min_length_cm'),
  maxLengthCm: integer('max_length_cm'),
  maxHeightCm: integer('max_height_cm'),
  /** Lane length used if the length is not asked. */
  fixedLaneCm: integer('fixed_lane_cm'),
  /** Gap to the next vehicle, added to the length. */
  gapCm: integer('gap_cm').notNull().default(50),
  /** One passenger of this type travels at no charge with the vehicle. */
  includedDriverTypeId: id('included_driver_type_id').references(() => passengerTypes.id),
  plateRequired: boolean('plate_required').notNull().default(true),
  allowsTrailer: boolean('allows_trailer').notNull().default(false),
  sort: integer('sort').notNull().default(0),
  translations: translations(),
  active: boolean('active').notNull().default(true),
});

export const fareClasses = pgTable('fare_classes', {
  id: id().primaryKey(),
  code: text('code').notNull().unique(),
  name: text('name').notNull(),
  summary: text('summary').notNull().default(''),
  policy: jsonb('policy').$type<FarePolicy>().notNull(),
  sort: integer('sort').notNull().default(0),
  translations: translations(),
  active: boolean('active').notNull().default(true),
});

/**
 * Exactly one fare applies to a sailing, kind, type and class: the highest priority that is valid; ties are refused.
 */
export const fares = pgTable(
  'fares',
  {
    id: id().primaryKey(),
    routeId: references('route_id', () => routes.id),
    fareClassId: references('fare_class_id', () => fareClasses.id),
    kind: text('kind', { enum: ['passenger', 'vehicle', 'bicycle'] }).notNull(),
    passengerTypeId: id('passenger_type_id').references(() => passengerTypes.id),
    vehicleTypeId: id('vehicle_type_id').references(() => vehicleTypes.id),
    validFrom: date('valid_from', { mode: 'string' }),
    validUntil: date('valid_until', { mode: 'string' }),
    /** Bit 0 = Monday … bit 6 = Sunday of the service day. */
    weekdays: integer('weekdays').notNull().default(127),
    amount: amount('amount').notNull(),
    baseCm: integer('base_cm'),
    stepCm: integer('step_cm'),
    stepAmount: amount('step_amount'),
    /** Tax contained in the amount, in basis points, where no tax rule applies. */
    taxBp: integer('tax_bp').notNull().default(0),
    priority: integer('priority').notNull().default(0),
  },
  (table) => [
    index('fares_by_route').on(table.routeId),
    check('fares_amount', sql`${table.amount} >= 0 and ${table.amount} <= 9999999`),
    check('fares_weekdays', sql`${table.weekdays} between 1 and 127`),
  ],
);

/** Shares of prices at tax rates, in the order of their file. */
export const taxRules = pgTable('tax_rules', {
  position: integer('position').primaryKey(),
  routeId: references('route_id', () => routes.id, { onDelete: 'cascade' }),
  product: text('product', { enum: TAX_PRODUCTS }).notNull(),
  /** In basis points of the price. */
  shareBp: integer('share_bp').notNull(),
  taxBp: integer('tax_bp').notNull(),
  name: text('name').notNull(),
  translations: translations(),
  validFrom: date('valid_from', { mode: 'string' }),
  validUntil: date('valid_until', { mode: 'string' }),
  priority: integer('priority').notNull(),
});

export const promoCodes = pgTable(
  'promo_codes',
  {
    id: id().primaryKey(),
    /** Upper case; matched case-insensitively. */
    code: text('code').notNull().unique(),
    kind: text('kind', { enum: ['percent_bp', 'amount'] }).notNull(),
    value: integer('value').notNull(),
    /** Route codes it is valid for; null: all. */
    routeCodes: jsonb('route_codes').$type<string[]>(),
    startsOn: date('starts_on', { mode: 'string' }),
    endsOn: date('ends_on', { mode: 'string' }),
    maxRedemptions: integer('max_redemptions'),
    redeemed: integer('redeemed').notNull().default(0),
    active: boolean('active').notNull().default(true),
  },
  (table) => [
    check(
      'promo_not_overused',
      sql`${table.maxRedemptions} is null or ${table.redeemed} <= ${table.maxRedemptions}`,
    ),
  ],
);

/** Passes on sale, as the timetable feed has them. Sold passes have a copy of their terms. */
export const passProducts = pgTable('pass_products', {
  id: id().primaryKey(),
  code: text('code').notNull().unique(),
  terms: jsonb('terms').$type<PassTerms>().notNull(),
  sort: integer('sort').notNull().default(0),
  active: boolean('active').notNull().default(true),
});
