import { between } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { ports, voyages } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { loadCatalogue } from '../queries.ts';
import { applyExceptions } from './apply-exceptions.ts';
import { type RealtimeStatement, readRealtimeFeed } from './realtime-feed.ts';
import { type NewException, replaceExceptions } from './store-exceptions.ts';

type PollContext = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'jobs'>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 5_000_000;
/** An older feed does not describe the present. */
const MAX_AGE_MS = 15 * 60_000;
/** A feed that cancels or delays a larger share of three days is taken for broken: a storm is declared by staff. */
const MAX_SHARE = 0.5;
const FEW_VOYAGES = 10;

/** `code`: the reason, for the log. */
class UnusableFeed extends Error {
  override readonly name = 'UnusableFeed';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Fetches the operator's GTFS-Realtime feeds and puts what they say into effect. If one of them cannot be read, what
 * was said before stays. Nothing here refunds or charges anything.
 * @param urls `GTFS_REALTIME_URLS`
 */
export async function pollRealtime(context: PollContext, urls: readonly string[]): Promise<void> {
  const { db, clock, log } = context;
  const { feed } = await loadCatalogue(db);
  const { language } = await loadWebSettings(context);
  const statements: RealtimeStatement[] = [];
  for (const url of urls) {
    try {
      const now = clock.now();
      const read = readRealtimeFeed(await download(url), { now, zone: feed.timeZone, locale: language });
      if (read.madeAt !== null && now.getTime() - read.madeAt > MAX_AGE_MS)
        throw new UnusableFeed('The feed is old.', 'too old');
      for (const [reason, count] of Object.entries(read.skipped)) {
        log.warn('realtime statements skipped', { feed: new URL(url).host, reason, count });
      }
      statements.push(...read.statements);
    } catch (error) {
      log.warn('realtime feed not read', { feed: new URL(url).host, ...describeError(error) });
      return;
    }
  }
  await applyStatements(context, statements, getLocalDay(clock.now().getTime(), feed.timeZone));
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok || !response.body)
    throw new UnusableFeed('The feed was not answered.', `status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new UnusableFeed('The feed is too large.', 'too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function applyStatements(
  { config, db, clock, log, jobs }: PollContext,
  statements: readonly RealtimeStatement[],
  today: string,
): Promise<void> {
  const stops = new Map((await db.select().from(ports)).map(({ id, gtfsStopId }) => [gtfsStopId, id]));
  const near = between(voyages.serviceDate, addDays(today, -1), addDays(today, 1));
  const count = await db.$count(voyages, near);
  for (const kind of ['canceled', 'delayed'] as const) {
    const affected = statements.filter((statement) => statement.kind === kind).length;
    if (affected > Math.max(FEW_VOYAGES, count * MAX_SHARE)) {
      log.error('realtime feed ignored: too many sailings', { kind, affected, sailings: count });
      return;
    }
  }
  const exceptions = statements.flatMap(({ stopId, ...statement }): NewException[] => {
    const portId = stopId === null ? null : stops.get(stopId);
    return portId === undefined ? [] : [{ source: 'realtime', ...statement, portId }];
  });
  const unknown = statements.length - exceptions.length;
  if (unknown > 0) log.warn('realtime statements skipped', { reason: 'unknown_stop', count: unknown });
  const applied = await inTransaction(db, async (tx) => {
    const days = await replaceExceptions(tx, { clock }, { source: 'realtime', exceptions });
    return days && applyExceptions(tx, { clock, config }, days);
  });
  if (!applied || applied.sailings === 0) return;
  const { notified, unreachable } = applied.notices;
  log.info('realtime feed applied', {
    ...{ sailings: applied.sailings, notified, unreachable: unreachable.length },
  });
  if (notified > 0) wakeMessageWorkers(jobs);
}

/** Polls once a minute where feeds are configured. */
export async function registerRealtimeJobs(context: PollContext): Promise<void> {
  const { realtimeUrls } = context.config;
  await context.jobs.work('poll-realtime', () => pollRealtime(context, realtimeUrls));
  if (realtimeUrls.length > 0) await context.jobs.schedule('poll-realtime', '* * * * *');
}
