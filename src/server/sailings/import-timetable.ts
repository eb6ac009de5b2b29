import { randomUUID } from 'node:crypto';
import { eq, gt, max, sql } from 'drizzle-orm';
import { describeDoubleBooking } from '#domain/sailings/double-bookings.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { feedArchives } from '../database/schema/feed-files.ts';
import { feed, sailings } from '../database/schema/timetable.ts';
import { inSnapshot, inTransaction } from '../database/transactions.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import type { NoticeContext } from '../sms/queue-sms.ts';
import { findDoubleBookings } from './double-bookings.ts';
import { type AppliedExceptions, applyExceptions } from './exceptions/apply-exceptions.ts';
import { describeWithoutModel } from './exceptions/extra-sailings.ts';
import type { ExceptionRow } from './exceptions/match-exception.ts';
import { reviewRoom } from './exceptions/review-room.ts';
import { LAST_DAY, listExceptions, replaceExceptions, spanDays } from './exceptions/store-exceptions.ts';
import { prepareFeed } from './feed/prepare-feed.ts';
import type { FeedSource, PreparedFeed } from './feed/prepare-feed-worker.ts';
import { keepReplacedFeed } from './feed-changes.ts';
import { lockTimetable } from './lock-timetable.ts';
import type { NoticeReport } from './notices/notice-report.ts';
import { type Notice, notifyPassengers } from './notices/notify-passengers.ts';
import { writePictures } from './pictures/store-pictures.ts';
import {
  type AcceptedChanges,
  type CheckedImport,
  ImportOutdated,
  ImportRefused,
  refuseUnaccepted,
} from './preview/check-import.ts';
import { assessImport, type ImportPreview, previewImport } from './preview/preview-import.ts';
import { type CatalogueIds, writeCatalogue } from './write-catalogue.ts';
import { type SailingCounts, writeSailings } from './write-sailings.ts';

export const DEFAULT_DAYS = 90;
const DEFAULT_LIMIT_PERCENT = 1;
const NAME = 'timetable';

type ImportContext = Pick<Context, 'db'> & NoticeContext;

export type ImportReport = {
  ports: number;
  routes: number;
  sailings: SailingCounts;
  notices: NoticeReport;
  /** The last day for which the feed can be relied on; null if no trip ever runs. */
  endsOn: string | null;
  /** Sentences about what was skipped or cannot be sold yet. */
  skipped: string[];
};

type FeedInput = FeedSource & { days?: number | undefined; now?: Date | undefined };

/**
 * `checked`: what the import must still be, if a person checked it before. `actor`: who imports, for the audit log; an
 * import that the server makes by itself is not in it. `takesBack`: when the change was made before which the files are.
 */
type ImportDecision = {
  checked?: CheckedImport | undefined;
  actor?: AuditActor | undefined;
  takesBack?: Date | undefined;
};

/**
 * Replaces the timetable, fares and sailings with those of the feed, from today on and `days` ahead, in one
 * transaction. Importing the same feed again changes nothing. Past sailings never change.
 * @param input accepted: how many sold sailings the import may cancel or move
 * @throws {FileError} naming every problem of the feed; nothing is written then
 * @throws {ImportRefused} if it would cancel or move more sold sailings, or the feed's calendar has expired
 * @throws {ImportOutdated} if it is not what was checked
 */
export function importTimetable(
  context: ImportContext,
  input: FeedInput & ImportDecision & { accepted?: AcceptedChanges },
): Promise<ImportReport> {
  const { days = DEFAULT_DAYS, now = context.clock.now(), accepted = 'within-limit', ...rest } = input;
  const { checked, actor, takesBack, ...source } = rest;
  return importFeed(context, source, { days, now, accepted, checked, actor, takesBack });
}

/**
 * Finds what `importTimetable` would change, without writing.
 * @throws {FileError} naming every problem of the feed
 */
export async function previewTimetable(context: ImportContext, input: FeedInput): Promise<ImportPreview> {
  const { db } = context;
  const { days = DEFAULT_DAYS, now = context.clock.now(), ...source } = input;
  const atLeastUntil = await lastServiceDay(db, now);
  const prepared = await prepareFeed(source, { now, days, atLeastUntil });
  const limitPercent = await readLimitPercent(context);
  const { config } = context;
  return inSnapshot(db, (tx) =>
    previewImport({ config, clock: { now: () => now }, db: tx }, prepared, limitPercent),
  );
}

async function importFeed(
  context: ImportContext,
  source: FeedSource,
  decision: ImportDecision & { days: number; now: Date; accepted: AcceptedChanges },
): Promise<ImportReport> {
  const { db } = context;
  const { days, now, accepted, checked, actor, takesBack = null } = decision;
  const prepare = async (atLeastUntil: string | null) => prepareFeed(source, { now, days, atLeastUntil });
  // Outside the transaction, during which the embedded database serves no other request.
  const prepared = await prepare(await lastServiceDay(db, now));
  const limitPercent = await readLimitPercent(context);
  // Retried after a deadlock: the import locks places before orders, payments lock them in the opposite order.
  return inTransaction(db, async (tx) => {
    await lockTimetable(tx);
    // A cached plan from when the tables were small would scan a table that has grown since.
    await tx.execute(sql`set local plan_cache_mode = force_custom_plan`);
    const lastDay = await lastServiceDay(tx, now);
    const isCovered = lastDay === null || lastDay <= prepared.plan.until;
    const current = isCovered ? prepared : await prepare(lastDay);
    const [before = { revision: null, digest: null }] = await tx
      .select({ revision: feed.revision, digest: feed.digest })
      .from(feed);
    if (checked && (checked.revision !== before.revision || checked.digest !== current.digest)) {
      throw new ImportOutdated();
    }
    if (accepted !== 'all') {
      const risk = await assessImport(tx, current, { now, limitPercent });
      refuseUnaccepted(risk, { accepted, endsOn: current.plan.endsOn });
    }
    if (actor && current.digest !== before.digest) {
      const files = current.upload?.changes ?? null;
      await keepReplacedFeed(tx, { actor, now, files, takesBack });
    }
    const report = await writeFeed(tx, current, { now, days, config: context.config });
    if (actor) {
      await recordAudit(tx, context, {
        ...{ actor, action: 'timetable_imported', objectKind: 'timetable', objectId: NAME, reason: null },
        before: { digest: before.digest },
        after: {
          digest: current.digest,
          ...(takesBack === null ? {} : { takes_back_at: takesBack.toISOString() }),
          ...describeImport(current, report),
        },
      });
    }
    return report;
  });
}

/** For the audit log. */
function describeImport({ upload }: PreparedFeed, { sailings: counts, notices }: ImportReport) {
  const files = upload?.changes.map(({ name }) => name).join(', ');
  return {
    ...(files === undefined ? {} : { files }),
    ...{ sailings_added: counts.added, sailings_changed: counts.changed },
    ...{ sailings_canceled: counts.canceled, sailings_removed: counts.removed },
    orders_notified: notices.notified + notices.unpaidNotified,
    orders_unreachable: notices.unreachable.length,
  };
}

async function readLimitPercent(context: Pick<Context, 'db'>): Promise<number> {
  const { import_change_limit_percent: limit } = await loadWebSettings(context);
  return limit ?? DEFAULT_LIMIT_PERCENT;
}

async function writeFeed(
  tx: Database,
  { plan, parts, digest, zip }: PreparedFeed,
  { now, days, config }: { now: Date; days: number } & Pick<ImportContext, 'config'>,
): Promise<ImportReport> {
  const ids = await writeCatalogue(tx, plan);
  await writePictures(tx, plan.pictures);
  const { counts, affected, retimed } = await writeSailings(tx, { today: plan.today, parts, ids, now });
  const columns = {
    digest,
    currency: plan.currency,
    timeZone: plan.timeZone,
    maxParty: plan.maxParty,
    choiceHours: plan.choiceHours,
    choiceDelayMinutes: plan.choiceDelayMinutes,
    assistanceNoticeHours: plan.assistanceNoticeHours,
    windowUntil: plan.until,
    windowDays: days,
    revision: randomUUID(),
    importedAt: now,
    settings: plan.settings,
    coastline: plan.coastline,
  };
  await tx
    .insert(feed)
    .values({ name: NAME, ...columns })
    .onConflictDoUpdate({ target: feed.name, set: columns });
  const { withoutModel, notices } = await applyAllExceptions(tx, {
    exceptions: plan.exceptions,
    ...{ ids, now, config, before: { affected, moved: retimed } },
  });
  await tx
    .insert(feedArchives)
    .values({ name: NAME, zip })
    .onConflictDoUpdate({ target: feedArchives.name, set: { zip } });
  return {
    ports: plan.ports.length,
    routes: plan.routes.length,
    sailings: counts,
    notices,
    endsOn: plan.endsOn,
    skipped: [
      ...plan.skipped,
      ...withoutModel.map(describeWithoutModel),
      ...(await findDoubleBookings(tx, { from: plan.today, until: plan.until })).map(describeDoubleBooking),
    ],
  };
}

/**
 * The exceptions of a feed, with the keys of ports and vessels, and their ids. `before`: what passengers must be
 * notified of beside them.
 */
type FeedExceptions = Pick<ImportContext, 'config'> & {
  exceptions: PreparedFeed['plan']['exceptions'];
  ids: CatalogueIds;
  now: Date;
  before: Required<Pick<Notice, 'affected' | 'moved'>>;
};

/**
 * Applies what is stored beside the timetable, with the exceptions of the feed if it has a file of them, and notifies
 * passengers.
 * @returns also extra sailings that could not be added
 */
async function applyAllExceptions(
  tx: Database,
  input: FeedExceptions,
): Promise<Pick<AppliedExceptions, 'withoutModel' | 'notices'>> {
  const { now, config, before } = input;
  const context = { config, clock: { now: () => now } };
  const replaced = await replaceFeedExceptions(tx, input);
  const yesterday = addDays(now.toISOString().slice(0, 10), -2);
  const stored = await listExceptions(tx, { from: yesterday, until: LAST_DAY });
  // The days of removed exceptions too, because their effects end.
  const days = spanDays([...stored, ...replaced]);
  if (days) return applyExceptions(tx, context, { ...days, before });
  const affected = [...before.affected, ...(await reviewRoom(tx, context))];
  return { withoutModel: [], notices: await notifyPassengers(tx, context, { ...before, affected }) };
}

/** @returns the service days that changed */
async function replaceFeedExceptions(
  tx: Database,
  { exceptions, ids, now }: Omit<FeedExceptions, 'before' | 'config'>,
): Promise<Pick<ExceptionRow, 'fromDay' | 'untilDay'>[]> {
  if (!exceptions) return [];
  const named = exceptions.map((each) => ({
    ...each,
    portId: each.portId ? (ids.ports.get(each.portId) ?? null) : null,
    vesselId: each.vesselId ? (ids.vessels.get(each.vesselId) ?? null) : null,
  }));
  const context = { clock: { now: () => now } };
  const days = await replaceExceptions(tx, context, { source: 'file', exceptions: named });
  return days ? [{ fromDay: days.from, untilDay: days.until }] : [];
}

/**
 * Imports the last feed again if it covers fewer days than requested, so that tickets stay on sale as far ahead, or if
 * an earlier release did not read all of it. Never cancels or moves a sold sailing.
 * @returns null if there was nothing to do, or no feed; the refusal if a sold sailing would be canceled or moved
 */
export async function extendTimetable(context: ImportContext): Promise<ImportReport | ImportRefused | null> {
  const { db } = context;
  const now = context.clock.now();
  const stored = await readStoredFeed(db);
  if (!stored) return null;
  const wantedUntil = addDays(getLocalDay(now.getTime(), stored.timeZone), stored.days);
  if (stored.until >= wantedUntil && stored.settings !== null) return null;
  try {
    return await importFeed(context, { zip: stored.zip }, { days: stored.days, now, accepted: 0 });
  } catch (error) {
    if (error instanceof ImportRefused) return error;
    throw error;
  }
}

/** The feed last imported. `zip`: its files, in base64. Null if there is none. */
export async function readStoredFeed(db: Database) {
  const [stored] = await db
    .select({
      zip: feedArchives.zip,
      revision: feed.revision,
      importedAt: feed.importedAt,
      timeZone: feed.timeZone,
      until: feed.windowUntil,
      days: feed.windowDays,
      settings: feed.settings,
    })
    .from(feed)
    .innerJoin(feedArchives, eq(feedArchives.name, feed.name));
  return stored ?? null;
}

/** Sailings beyond the requested days must follow the new feed too. */
async function lastServiceDay(db: Database, now: Date): Promise<string | null> {
  const [row] = await db
    .select({ day: max(sailings.serviceDate) })
    .from(sailings)
    .where(gt(sailings.departsAt, now));
  return row?.day ?? null;
}
