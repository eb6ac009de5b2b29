import type { Problems } from '#server/csv/problems.ts';
import { type Row, readTable } from '#server/csv/table.ts';

type FeedTable = {
  /** Whether a feed without the file is refused. */
  isRequired?: boolean;
  /** Columns without which the file cannot be read. */
  required: readonly string[];
  optional: readonly string[];
  /** Columns of the GTFS specification that make no difference here. */
  ignored?: readonly string[];
  /** Columns that may be there again for other languages, such as `name@de`. */
  translated?: readonly string[];
};

const WEEKDAY_COLUMNS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Every table that an import reads, with every column. docs/timetable.md describes them; a test compares the two. */
export const FEED_TABLES = {
  'agency.txt': {
    isRequired: true,
    required: ['agency_timezone'],
    optional: ['agency_id', 'agency_name', 'agency_url', 'agency_lang', 'agency_phone'],
    ignored: ['agency_fare_url', 'agency_email'],
  },
  'stops.txt': {
    isRequired: true,
    required: ['stop_id', 'stop_name'],
    optional: [
      ...['stop_code', 'stop_lat', 'stop_lon', 'stop_timezone', 'location_type', 'parent_station'],
      ...['zone_id', 'wheelchair_boarding', 'stop_desc', 'stop_url'],
    ],
    ignored: ['tts_stop_name', 'level_id', 'platform_code'],
  },
  'routes.txt': {
    isRequired: true,
    required: ['route_id', 'route_type'],
    optional: ['agency_id', 'route_short_name', 'route_long_name', 'route_sort_order'],
    ignored: [
      ...['route_desc', 'route_url', 'route_color', 'route_text_color', 'continuous_pickup'],
      ...['continuous_drop_off', 'network_id'],
    ],
  },
  'trips.txt': {
    isRequired: true,
    required: ['route_id', 'service_id', 'trip_id'],
    optional: ['bikes_allowed', 'cars_allowed'],
    ignored: [
      ...['trip_headsign', 'trip_short_name', 'direction_id', 'block_id', 'shape_id'],
      'wheelchair_accessible',
    ],
  },
  'stop_times.txt': {
    isRequired: true,
    required: ['trip_id', 'stop_id', 'stop_sequence', 'arrival_time', 'departure_time'],
    optional: ['pickup_type', 'drop_off_type', 'timepoint'],
    ignored: [
      ...['stop_headsign', 'continuous_pickup', 'continuous_drop_off', 'shape_dist_traveled'],
      ...['pickup_booking_rule_id', 'drop_off_booking_rule_id', 'location_group_id', 'location_id'],
      ...['start_pickup_drop_off_window', 'end_pickup_drop_off_window'],
    ],
  },
  'calendar.txt': {
    required: ['service_id', ...WEEKDAY_COLUMNS, 'start_date', 'end_date'],
    optional: [],
  },
  'calendar_dates.txt': { required: ['service_id', 'date', 'exception_type'], optional: [] },
  'frequencies.txt': {
    required: ['trip_id', 'start_time', 'end_time', 'headway_secs'],
    optional: [],
    ignored: ['exact_times'],
  },
  'transfers.txt': {
    required: [],
    optional: [
      ...['from_stop_id', 'to_stop_id', 'transfer_type', 'min_transfer_time'],
      ...['from_route_id', 'to_route_id', 'from_trip_id', 'to_trip_id'],
    ],
  },
  'feed_info.txt': {
    required: [],
    optional: ['feed_publisher_name', 'feed_publisher_url', 'feed_lang', 'feed_end_date'],
    ignored: ['default_lang', 'feed_start_date', 'feed_version', 'feed_contact_email', 'feed_contact_url'],
  },
  'translations.txt': {
    required: ['translation'],
    optional: [
      ...['table_name', 'field_name', 'language', 'record_id', 'record_sub_id', 'field_value'],
      ...['trans_id', 'lang'],
    ],
  },
  'operator.csv': {
    required: ['currency'],
    optional: [
      ...['max_party', 'transfer_minutes', 'choice_hours', 'choice_delay_minutes'],
      'assistance_notice_hours',
    ],
  },
  'ports.csv': {
    required: ['stop_id'],
    optional: [
      ...['code', 'address', 'step_free', 'transfer_minutes', 'facilities', 'parking'],
      ...['directions', 'picture', 'picture_alt'],
    ],
    translated: ['address', 'facilities', 'parking', 'directions', 'picture_alt'],
  },
  'vessels.csv': {
    required: ['code', 'name', 'passengers'],
    optional: [
      ...['lane_cm', 'tall_lane_cm', 'normal_clearance_cm', 'tall_clearance_cm', 'bicycles'],
      ...[
        'online_percent',
        'wheelchair_places',
        'accessibility_notes',
        'description',
        'facilities',
        'master_email',
      ],
      ...['picture', 'picture_alt'],
    ],
    translated: ['name', 'accessibility_notes', 'description', 'facilities', 'picture_alt'],
  },
  'assignments.csv': { required: ['vessel', 'route_id'], optional: ['trip_id', 'weekdays'] },
  'route_rules.csv': {
    required: ['route_id'],
    optional: [
      ...['carries_vehicles', 'carries_bicycles', 'sales_close_minutes', 'check_in_open_minutes'],
      ...['check_in_close_minutes_foot', 'check_in_close_minutes_vehicle', 'max_vehicle_length_cm'],
      ...['max_vehicle_height_cm', 'needs_passenger_list'],
      'sells_arranged',
    ],
  },
  'passenger_types.csv': {
    required: ['code', 'name'],
    optional: ['age_min', 'age_max', 'uses_seat', 'requires_proof', 'needs_adult', 'is_default'],
    translated: ['name'],
  },
  'vehicle_types.csv': {
    required: ['code', 'name'],
    optional: [
      ...['length_required', 'height_required', 'min_length_cm', 'max_length_cm', 'max_height_cm'],
      ...['fixed_lane_cm', 'gap_cm', 'included_driver', 'plate_required', 'allows_trailer'],
    ],
    translated: ['name'],
  },
  'fare_classes.csv': {
    required: ['code', 'name'],
    optional: [
      ...['summary', 'change_allowed', 'change_fee', 'change_until_minutes', 'cancel', 'no_show'],
      ...['refund_to', 'open_ticket_days'],
    ],
    translated: ['name', 'summary'],
  },
  'fares.csv': {
    required: ['fare_class', 'kind', 'amount'],
    optional: [
      ...['route_id', 'origin_stop_id', 'destination_stop_id', 'origin_zone', 'destination_zone'],
      ...['passenger_type', 'vehicle_type', 'base_cm'],
      ...['step_cm', 'step_amount', 'tax_percent', 'valid_from', 'valid_until', 'weekdays', 'priority'],
    ],
  },
  'taxes.csv': {
    required: ['share_percent', 'tax_percent'],
    optional: [
      ...['route_id', 'origin_stop_id', 'destination_stop_id', 'origin_zone', 'destination_zone'],
      ...['product', 'name', 'valid_from', 'valid_until', 'priority'],
    ],
    translated: ['name'],
  },
  'exceptions.csv': {
    required: ['date', 'kind'],
    optional: [
      ...['until', 'route_id', 'trip_id', 'stop_id', 'time', 'minutes', 'vessel', 'reason', 'text'],
      'like_time',
      'like_date',
    ],
    translated: ['text'],
  },
  'promo_codes.csv': {
    required: ['code', 'kind', 'value'],
    optional: ['route_ids', 'starts_on', 'ends_on', 'max_redemptions'],
  },
  'passes.csv': {
    required: ['code', 'name', 'trips', 'price'],
    optional: ['summary', 'route_ids', 'passenger_types', 'vehicle_type', 'valid_days', 'valid_from'],
    translated: ['name', 'summary'],
  },
} as const satisfies Record<string, FeedTable>;

/** The files of a feed, and where their problems are collected. */
export type FeedInput = { files: ReadonlyMap<string, Uint8Array>; problems: Problems };

export type FeedFile = keyof typeof FEED_TABLES;

/** Parses a table of a feed. Columns that the import does not know are noted, because they may be misspelled. */
export function readFeedTable({ files, problems }: FeedInput, file: FeedFile): Row[] {
  const {
    isRequired = false,
    required,
    optional,
    ignored = [],
    translated = [],
  }: FeedTable = FEED_TABLES[file];
  return readTable(
    { file, contents: files.get(file), problems },
    { isRequired, required, optional, ignored, translated },
  );
}
