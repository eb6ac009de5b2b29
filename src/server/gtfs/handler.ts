import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { createAsset, sendAsset } from '#server/pages/assets.ts';
import { createRefreshingCache } from '#server/pages/refreshing-cache.ts';
import { openPublishedTimetable } from './published-timetable.ts';
import { composeRealtime, encodeRealtime, type RealtimeMessage, type RealtimeMessages } from './realtime.ts';

type GtfsContext = Pick<Context, 'db' | 'clock' | 'config' | 'log'>;

const TIMETABLE = '/gtfs/timetable.zip';
const FEEDS: Readonly<Record<string, keyof RealtimeMessages>> = {
  '/gtfs/trip-updates.pb': 'tripUpdates',
  '/gtfs/alerts.pb': 'alerts',
};
/** Seconds that proxies and trip planners may keep an answer. */
const MAX_AGE = { timetable: 300, realtime: 10 };
/** How often changes are read, regardless of the number of requests. */
const FRESH_MS = 5_000;

/** For trip planners on other sites. */
const OPEN_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Handles everything below `/gtfs/`: the timetable and its live data, for trip planners. */
export function createGtfsHandler(context: GtfsContext): (request: Request) => Promise<Response> {
  const timetable = openPublishedTimetable(context);
  const realtime = createRefreshingCache(context, {
    name: 'published live data',
    freshMs: FRESH_MS,
    read: async () => composeRealtime(context, await timetable.load()),
  });

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const feed = FEEDS[pathname];
    if (pathname !== TIMETABLE && feed === undefined) return new Response('Not found', { status: 404 });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
    if (feed === undefined) {
      return sendAsset(request, (await timetable.load()).asset, {
        ...OPEN_HEADERS,
        'Content-Type': 'application/zip',
        'Cache-Control': `public, max-age=${MAX_AGE.timetable}`,
      });
    }
    return sendRealtime(request, (await realtime.load())[feed], searchParams.get('format') === 'json');
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      context.log.error('published timetable failed', describeError(error));
      return new Response('Something went wrong', { status: 500, headers: { 'Cache-Control': 'no-store' } });
    }
  };
}

function sendRealtime(request: Request, message: RealtimeMessage, isText: boolean): Response {
  const asset = isText
    ? createAsset('/gtfs/feed.json', JSON.stringify(message, nameValue, 2))
    : createAsset('/gtfs/feed.pb', encodeRealtime(message));
  return sendAsset(request, asset, {
    ...OPEN_HEADERS,
    'Content-Type': isText ? 'application/json' : 'application/x-protobuf',
    'Cache-Control': `public, max-age=${MAX_AGE.realtime}`,
  });
}

/** Names of the specification for people who read the feed. */
const NAMES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  incrementality: { 0: 'FULL_DATASET' },
  scheduleRelationship: { 0: 'SCHEDULED', 1: 'ADDED', 3: 'CANCELED' },
  cause: { 1: 'UNKNOWN_CAUSE', 2: 'OTHER_CAUSE', 3: 'TECHNICAL_PROBLEM', 8: 'WEATHER' },
  effect: { 1: 'NO_SERVICE', 7: 'OTHER_EFFECT', 8: 'UNKNOWN_EFFECT' },
};

function nameValue(this: unknown, key: string, value: unknown): unknown {
  const isOfStop = typeof this === 'object' && this !== null && 'stopSequence' in this;
  if (isOfStop && key === 'scheduleRelationship' && value === 1) return 'SKIPPED';
  return typeof value === 'number' ? (NAMES[key]?.[value] ?? value) : value;
}
