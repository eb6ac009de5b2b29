import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { feedArchives } from '../database/schema/feed-files.ts';
import { feed } from '../database/schema/timetable.ts';
import { type FeedFiles, readFeedFiles, unzipFeed } from '../sailings/feed/feed-files.ts';
import { extendTimetable, importTimetable } from '../sailings/import-timetable.ts';
import type { NoticeContext } from '../sms/queue-sms.ts';

/** The demo operator, as a feed in the format of any operator's. */
export const demoFeedFolder = fileURLToPath(new URL('./feed', import.meta.url));

/** The demo operator's domain. It is reserved for examples, so no operator's own feed contains it. */
const DOMAIN = 'harborline.example';

/** The settings in the demo feed. */
export async function readDemoSettings(): Promise<object> {
  return JSON.parse(await readFile(join(demoFeedFolder, 'settings.json'), 'utf8'));
}

/** The owner of the imported timetable: none yet, the demo operator, or the operator. */
export async function findTimetableOwner(db: Database): Promise<'none' | 'demo' | 'operator'> {
  const imported = await readImportedFeed(db);
  if (!imported) return 'none';
  return isDemoFeed(imported) ? 'demo' : 'operator';
}

/**
 * Imports the demo feed if no feed was imported yet, or an earlier version of the demo feed; otherwise rolls the imported
 * feed forward.
 */
export async function loadDemoTimetable(context: Pick<Context, 'db'> & NoticeContext): Promise<void> {
  const imported = await readImportedFeed(context.db);
  const files = await readDemoFeed();
  const isOldDemo = imported && isDemoFeed(imported) && getVersion(imported) !== getVersion(files);
  if (!imported || isOldDemo) await importTimetable(context, { files, accepted: 'all' });
  else await extendTimetable(context);
}

async function readImportedFeed(db: Database): Promise<FeedFiles | null> {
  const [stored] = await db
    .select({ zip: feedArchives.zip })
    .from(feed)
    .innerJoin(feedArchives, eq(feedArchives.name, feed.name));
  return stored ? unzipFeed(Buffer.from(stored.zip, 'base64')) : null;
}

function isDemoFeed(files: FeedFiles): boolean {
  return readText(files, 'agency.txt').includes(DOMAIN);
}

/** The file that contains the feed's version, which changes with every change of the demo feed. */
function getVersion(files: FeedFiles): string {
  return readText(files, 'feed_info.txt');
}

function readText(files: FeedFiles, name: string): string {
  return Buffer.from(files.get(name) ?? []).toString();
}

export function readDemoFeed(): Promise<FeedFiles> {
  return readFeedFiles(demoFeedFolder);
}
