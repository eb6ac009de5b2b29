import protobuf from 'protobufjs/light.js';
import { UNSAFE_TEXT } from '#contract/common.ts';
import type { ExceptionReason } from '#contract/sailings/exceptions.ts';
import { isDay } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';

/** What a GTFS-Realtime feed says about a trip, a line or a stop on some service days. */
export type RealtimeStatement = {
  kind: 'canceled' | 'delayed' | 'notice';
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
  /** Those of trips first. */
  statements: RealtimeStatement[];
  /** What was left out, by reason. */
  skipped: Skipped;
};

/**
 * `unreadable`: an entity that is not encoded as the specification says. `invalid`: one with an impossible day, time or
 * id. `repeated`: another statement about the same trip. `too_many`: statements beyond the limit.
 */
type SkipReason = 'unreadable' | 'invalid' | 'repeated' | 'too_many';
type Skipped = Partial<Record<SkipReason, number>>;

/** More statements than an operator can have. */
const MAX_STATEMENTS = 2000;
/** Of one alert. */
const MAX_PERIODS = 20;
const MAX_TEXT = 300;
const MAX_ID = 200;
/** A longer delay is a wrong unit, or a cancellation. */
const MAX_DELAY_MINUTES = 1440;
const DAY_MS = 86_400_000;
/** An alert without an end is shown this long; the next poll renews it. */
const OPEN_ALERT_MS = DAY_MS;
/** No statement reaches further than this from now. */
const MAX_AHEAD_MS = 366 * DAY_MS;

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
const root = protobuf.Root.fromJSON({
  nested: {
    ...MESSAGES,
    /** A FeedMessage whose entities are decoded one by one, so that a broken one does not stop the others. */
    FeedFrame: message({ header: [1, 'FeedHeader'], entity: [2, 'bytes', 'repeated'] }),
  },
});
export const FeedMessage = root.lookupType('FeedMessage');
const FeedFrame = root.lookupType('FeedFrame');
const FeedEntity = root.lookupType('FeedEntity');

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
type Frame = { header?: { timestamp?: number }; entity?: Uint8Array[] };
type Entity = { isDeleted?: boolean; tripUpdate?: TripUpdate; alert?: Alert };

/** zone: the operator's time zone; locale: preferred language of texts. */
type ReadContext = { now: Date; zone: string; locale: string };

/**
 * Reads a feed: trips canceled or late, and alerts. Predicted positions and added trips are ignored. Each entity is read
 * by itself, so that what is wrong with one leaves the others in effect.
 * @throws {Error} if the bytes are not a feed
 */
export function readRealtimeFeed(bytes: Uint8Array, context: ReadContext): RealtimeFeed {
  const frame = FeedFrame.toObject(FeedFrame.decode(bytes), { longs: Number }) as Frame;
  const skipped: Skipped = {};
  const trips = new Map<string, RealtimeStatement>();
  const alerts: RealtimeStatement[] = [];
  function add(statement: RealtimeStatement): SkipReason | null {
    if (!isValid(statement)) return 'invalid';
    const run = JSON.stringify([statement.fromDay, statement.tripKey]);
    if (statement.kind === 'notice') {
      if (alerts.length === MAX_STATEMENTS) return 'too_many';
      alerts.push(statement);
    } else if (trips.has(run)) return 'repeated';
    else trips.set(run, statement);
    return null;
  }
  for (const bytesOfEntity of frame.entity ?? []) {
    const entity = decodeEntity(bytesOfEntity);
    const reasons = entity === null ? ['unreadable' as const] : readEntity(entity, context).map(add);
    for (const reason of reasons) if (reason !== null) countSkipped(skipped, reason);
  }
  const statements = [...trips.values(), ...alerts];
  countSkipped(skipped, 'too_many', statements.length - MAX_STATEMENTS);
  const seconds = frame.header?.timestamp ?? 0;
  return {
    madeAt: seconds > 0 ? seconds * 1000 : null,
    statements: statements.slice(0, MAX_STATEMENTS),
    skipped,
  };
}

function countSkipped(skipped: Skipped, reason: SkipReason, count = 1): void {
  if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
}

function readEntity({ isDeleted, tripUpdate, alert }: Entity, context: ReadContext): RealtimeStatement[] {
  if (isDeleted) return [];
  return [
    ...(tripUpdate ? readTripUpdate(tripUpdate, getLocalDay(context.now.getTime(), context.zone)) : []),
    ...(alert ? readAlert(alert, context) : []),
  ];
}

function decodeEntity(bytes: Uint8Array): Entity | null {
  try {
    return FeedEntity.toObject(FeedEntity.decode(bytes), { longs: Number });
  } catch {
    return null;
  }
}

/** Whether sailings can have what is said, and the database can store it. */
function isValid({ fromDay, untilDay, line, tripKey, stopId, minutes }: RealtimeStatement): boolean {
  return (
    isDay(fromDay) &&
    isDay(untilDay) &&
    fromDay <= untilDay &&
    minutes <= MAX_DELAY_MINUTES &&
    [line, tripKey, stopId].every((id) => id === null || (id.length <= MAX_ID && !/\p{Cc}/u.test(id)))
  );
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
    return [{ ...about, kind: 'canceled', minutes: 0 }];
  const delays = stopTimeUpdate.map(({ departure, arrival }) => departure?.delay ?? arrival?.delay);
  const seconds = delays.find((each) => each !== undefined) ?? delay ?? 0;
  const minutes = Math.round(seconds / 60);
  return minutes > 0 ? [{ ...about, kind: 'delayed', minutes }] : [];
}

function describeTrip({ tripId, startTime, startDate, routeId }: Trip, today: string) {
  const day = startDate ? startDate.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') : today;
  const tripKey = tripId && startTime ? `${tripId}@${startTime}` : (tripId ?? null);
  return { fromDay: day, untilDay: day, line: routeId || null, tripKey };
}

function readAlert(alert: Alert, context: ReadContext): RealtimeStatement[] {
  const text = findText(alert.headerText, context.locale) || findText(alert.descriptionText, context.locale);
  if (text === '') return [];
  const periods = (alert.activePeriod?.length ? alert.activePeriod : [{}])
    .slice(0, MAX_PERIODS)
    .map((period) => readPeriod(period, context))
    .filter((period) => period !== 'over');
  const today = getLocalDay(context.now.getTime(), context.zone);
  return (alert.informedEntity ?? []).flatMap(({ routeId, trip, stopId }) => {
    // An alert for the whole agency belongs on a page, not on every ticket.
    if (!routeId && !trip?.tripId && !stopId) return [];
    return periods.map((days) => ({
      ...(trip?.tripId ? describeTrip(trip, today) : { ...days, line: routeId || null, tripKey: null }),
      kind: 'notice' as const,
      stopId: stopId || null,
      minutes: 0,
      reason: REASONS[alert.cause ?? 0] ?? null,
      text,
    }));
  });
}

/** The days of a period from now on. A far end, such as one in milliseconds, counts as the farthest possible one. */
function readPeriod(
  { start = 0, end = 0 }: { start?: number; end?: number },
  { now, zone }: ReadContext,
): { fromDay: string; untilDay: string } | 'over' {
  const farthest = now.getTime() + MAX_AHEAD_MS;
  const from = Math.min(Math.max(start * 1000, now.getTime()), farthest);
  const until = end > 0 ? Math.min(end * 1000, farthest) : from + OPEN_ALERT_MS;
  if (until < now.getTime()) return 'over';
  return { fromDay: getLocalDay(from, zone), untilDay: getLocalDay(until, zone) };
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

const UNSAFE = new RegExp(UNSAFE_TEXT, 'gu');

function findText(text: Translated | undefined, locale: string): string {
  const all = text?.translation ?? [];
  const [language = ''] = locale.split('-');
  const best =
    all.find((each) => each.language?.startsWith(language)) ?? all.find((each) => !each.language) ?? all[0];
  return (best?.text ?? '').replaceAll(UNSAFE, ' ').trim().slice(0, MAX_TEXT).toWellFormed();
}
