import protobuf from 'protobufjs/light.js';
import type { ExceptionReason } from '#domain/sailings/exceptions.ts';
import { getLocalDay } from '#domain/time/port-time.ts';

/** What a GTFS-Realtime feed says about a trip, a line or a stop on some service days. */
export type RealtimeStatement = {
  kind: 'cancelled' | 'delayed' | 'notice';
  fromDay: string;
  untilDay: string;
  /** `route_id`, `trip_id` (with the start time for trips defined by frequency) and `stop_id` of the feed. */
  line: string | null;
  tripKey: string | null;
  stopId: string | null;
  minutes: number;
  reason: ExceptionReason | null;
  text: string;
};

export type RealtimeFeed = {
  /** When the feed was made, in milliseconds since 1970; null if it does not say. */
  madeAt: number | null;
  statements: RealtimeStatement[];
};

/** More statements than an operator can have; the rest is ignored. */
const MAX_STATEMENTS = 2000;
const MAX_TEXT = 300;
/** An alert without an end is shown this long; the next poll renews it. */
const OPEN_ALERT_MS = 86_400_000;

/**
 * The messages of the GTFS-Realtime specification (version 2.0) with the fields that are read or published. Unknown
 * fields are skipped by the decoder.
 */
const MESSAGES = {
  FeedMessage: message({ header: [1, 'FeedHeader'], entity: [2, 'FeedEntity', 'repeated'] }),
  FeedHeader: message({
    gtfsRealtimeVersion: [1, 'string'],
    incrementality: [2, 'int32'],
    timestamp: [3, 'uint64'],
  }),
  FeedEntity: message({
    id: [1, 'string'],
    isDeleted: [2, 'bool'],
    tripUpdate: [3, 'TripUpdate'],
    alert: [5, 'Alert'],
  }),
  TripUpdate: message({
    trip: [1, 'TripDescriptor'],
    stopTimeUpdate: [2, 'StopTimeUpdate', 'repeated'],
    timestamp: [4, 'uint64'],
    delay: [5, 'int32'],
  }),
  StopTimeUpdate: message({
    stopSequence: [1, 'uint32'],
    arrival: [2, 'StopTimeEvent'],
    departure: [3, 'StopTimeEvent'],
    stopId: [4, 'string'],
    scheduleRelationship: [5, 'int32'],
  }),
  StopTimeEvent: message({ delay: [1, 'int32'], time: [2, 'int64'] }),
  TripDescriptor: message({
    tripId: [1, 'string'],
    startTime: [2, 'string'],
    startDate: [3, 'string'],
    scheduleRelationship: [4, 'int32'],
    routeId: [5, 'string'],
  }),
  Alert: message({
    activePeriod: [1, 'TimeRange', 'repeated'],
    informedEntity: [5, 'EntitySelector', 'repeated'],
    cause: [6, 'int32'],
    effect: [7, 'int32'],
    url: [8, 'TranslatedString'],
    headerText: [10, 'TranslatedString'],
    descriptionText: [11, 'TranslatedString'],
  }),
  TimeRange: message({ start: [1, 'uint64'], end: [2, 'uint64'] }),
  EntitySelector: message({ routeId: [2, 'string'], trip: [4, 'TripDescriptor'], stopId: [5, 'string'] }),
  TranslatedString: message({ translation: [1, 'Translation', 'repeated'] }),
  Translation: message({ text: [1, 'string'], language: [2, 'string'] }),
};
export const FeedMessage = protobuf.Root.fromJSON({ nested: MESSAGES }).lookupType('FeedMessage');

type FieldSpec = readonly [id: number, type: string, rule?: 'repeated'];

function message(fields: Record<string, FieldSpec>) {
  const entries = Object.entries(fields).map(([name, [id, type, rule]]) => [
    name,
    { id, type, ...(rule && { rule }) },
  ]);
  return { fields: Object.fromEntries(entries) };
}

type Trip = {
  tripId?: string;
  startTime?: string;
  startDate?: string;
  scheduleRelationship?: number;
  routeId?: string;
};
type TripUpdate = {
  trip?: Trip;
  delay?: number;
  stopTimeUpdate?: { arrival?: { delay?: number }; departure?: { delay?: number } }[];
};
type Alert = {
  activePeriod?: { start?: number; end?: number }[];
  informedEntity?: { routeId?: string; trip?: Trip; stopId?: string }[];
  cause?: number;
  headerText?: Translated;
  descriptionText?: Translated;
};
type Translated = { translation?: { text?: string; language?: string }[] };
type Decoded = {
  header?: { timestamp?: number };
  entity?: { isDeleted?: boolean; tripUpdate?: TripUpdate; alert?: Alert }[];
};

/**
 * Reads a feed: trips canceled or late, and alerts. Predicted positions and added trips are ignored.
 * @param context zone: the operator's time zone; locale: preferred language of texts
 * @throws {Error} if the bytes are not a feed
 */
export function readRealtimeFeed(
  bytes: Uint8Array,
  { now, zone, locale }: { now: Date; zone: string; locale: string },
): RealtimeFeed {
  const feed = FeedMessage.toObject(FeedMessage.decode(bytes), { longs: Number }) as Decoded;
  const statements = (feed.entity ?? []).flatMap(({ isDeleted, tripUpdate, alert }) => {
    if (isDeleted) return [];
    return [
      ...(tripUpdate ? readTripUpdate(tripUpdate, getLocalDay(now.getTime(), zone)) : []),
      ...(alert ? readAlert(alert, { now, zone, locale }) : []),
    ];
  });
  const seconds = feed.header?.timestamp ?? 0;
  return { madeAt: seconds > 0 ? seconds * 1000 : null, statements: statements.slice(0, MAX_STATEMENTS) };
}

/** `schedule_relationship` of trips that do not run: CANCELED and DELETED. */
const NOT_RUNNING = [3, 7];

function readTripUpdate(
  { trip, delay, stopTimeUpdate = [] }: TripUpdate,
  today: string,
): RealtimeStatement[] {
  if (!trip?.tripId) return [];
  const about = { ...describeTrip(trip, today), stopId: null, reason: null, text: '' };
  if (NOT_RUNNING.includes(trip.scheduleRelationship ?? 0))
    return [{ ...about, kind: 'cancelled', minutes: 0 }];
  const known = stopTimeUpdate.map(({ departure, arrival }) => departure?.delay ?? arrival?.delay);
  const seconds = known.find((each) => each !== undefined) ?? delay ?? 0;
  const minutes = Math.min(1440, Math.round(seconds / 60));
  return minutes > 0 ? [{ ...about, kind: 'delayed', minutes }] : [];
}

function describeTrip({ tripId, startTime, startDate, routeId }: Trip, today: string) {
  const day =
    /^(\d{4})(\d{2})(\d{2})$/
      .exec(startDate ?? '')
      ?.slice(1)
      .join('-') ?? today;
  const tripKey = tripId && startTime ? `${tripId}@${startTime}` : (tripId ?? null);
  return { fromDay: day, untilDay: day, line: routeId || null, tripKey };
}

function readAlert(
  alert: Alert,
  { now, zone, locale }: { now: Date; zone: string; locale: string },
): RealtimeStatement[] {
  const text = findText(alert.headerText, locale) || findText(alert.descriptionText, locale);
  if (text === '') return [];
  const periods = alert.activePeriod?.length ? alert.activePeriod : [{}];
  const today = getLocalDay(now.getTime(), zone);
  return (alert.informedEntity ?? []).flatMap(({ routeId, trip, stopId }) => {
    // An alert for the whole agency belongs on a page, not on every ticket.
    if (!routeId && !trip?.tripId && !stopId) return [];
    return periods.flatMap(({ start = 0, end = 0 }) => {
      const from = Math.max(start * 1000, now.getTime());
      const until = end > 0 ? end * 1000 : from + OPEN_ALERT_MS;
      if (until < now.getTime()) return [];
      const days = { fromDay: getLocalDay(from, zone), untilDay: getLocalDay(until, zone) };
      const about = trip?.tripId
        ? describeTrip(trip, today)
        : { ...days, line: routeId || null, tripKey: null };
      return [
        {
          ...about,
          kind: 'notice' as const,
          stopId: stopId || null,
          minutes: 0,
          reason: REASONS[alert.cause ?? 0] ?? null,
          text,
        },
      ];
    });
  });
}

/** `cause` of the specification. */
const REASONS: Readonly<Record<number, ExceptionReason>> = {
  2: 'other',
  3: 'technical',
  4: 'crew',
  8: 'weather',
  9: 'technical',
  10: 'port',
};

function findText(text: Translated | undefined, locale: string): string {
  const all = text?.translation ?? [];
  const [language = ''] = locale.split('-');
  const found =
    all.find((each) => each.language?.startsWith(language)) ?? all.find((each) => !each.language) ?? all[0];
  return (found?.text ?? '').trim().slice(0, MAX_TEXT);
}
