import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { feed, feedArchives } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';
import { digestOf, type FeedFiles, readFeedFiles, unzipFeed } from '../sailings/feed/feed-files.ts';
import { importTimetable, rollTimetable } from '../sailings/import-timetable.ts';
import { tellByMail } from '../sailings/tell-travellers.ts';

/** The demo operator, as a feed like any operator's. */
export const demoFeedFolder = fileURLToPath(new URL('../database/demo/feed', import.meta.url));

/** The demo operator's domain. Reserved for examples, so that no operator's own feed names it. */
const DOMAIN = 'harborline.example';

/** Whose timetable is imported: none yet, the demo operator's, or the operator's own. */
export async function findTimetableOwner(db: Database): Promise<'none' | 'demo' | 'operator'> {
  const [stored] = await db
    .select({ zip: feedArchives.zip })
    .from(feed)
    .innerJoin(feedArchives, eq(feedArchives.name, feed.name));
  if (!stored) return 'none';
  const agency = unzipFeed(Buffer.from(stored.zip, 'base64')).get('agency.txt');
  return agency && Buffer.from(agency).includes(DOMAIN) ? 'demo' : 'operator';
}

/**
 * Imports the demo operator if no feed was imported yet, or the demo of a release that had no settings in its feed;
 * else rolls the feed that was imported.
 */
export async function loadDemoTimetable(deps: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<void> {
  const files = await readDemoFeed();
  const [known] = await deps.db.select({ digest: feed.digest }).from(feed);
  const isOldDemo =
    known?.digest === digestOf(new Map([...files].filter(([name]) => name !== 'settings.json')));
  if (!known || isOldDemo) await importDemoFeed(deps, files);
  else await rollTimetable(deps.db, { now: deps.clock.now(), tell: tellByMail(deps) });
}

export function readDemoFeed(): Promise<FeedFiles> {
  return readFeedFiles(demoFeedFolder);
}

/** @param days how far ahead of the clock's today sailings are made; by default as far as an import makes them */
export async function importDemoFeed(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  files: FeedFiles,
  days?: number,
): Promise<void> {
  const options = { now: deps.clock.now(), tell: tellByMail(deps) };
  await importTimetable(deps.db, files, days === undefined ? options : { ...options, days });
}
