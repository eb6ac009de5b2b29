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

/** The demo operator's domain. It is reserved for examples, so no operator's own feed contains it. */
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
 * Imports the demo feed if no feed was imported yet, or if the imported demo feed comes from a release without settings
 * in the feed; otherwise rolls the imported feed forward.
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

/** @param days how many days ahead sailings are created; by default as many as an import creates */
export async function importDemoFeed(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  files: FeedFiles,
  days?: number,
): Promise<void> {
  const options = { now: deps.clock.now(), tell: tellByMail(deps) };
  await importTimetable(deps.db, files, days === undefined ? options : { ...options, days });
}
