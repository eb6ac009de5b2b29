import { fileURLToPath } from 'node:url';
import { feed } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';
import { digestOf, readFeedFiles } from './feed/feed-files.ts';
import { importTimetable, rollTimetable } from './import-timetable.ts';
import { tellByMail } from './tell-travellers.ts';

/** The demo operator, as a feed like any operator's. */
export const demoFeedFolder = fileURLToPath(new URL('../database/demo/feed', import.meta.url));

/**
 * Imports the demo operator if no feed was imported yet, or the demo of a release that had no settings in its feed;
 * else rolls the feed that was imported.
 */
export async function loadDemoTimetable(deps: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<void> {
  const { db, clock } = deps;
  const options = { now: clock.now(), tell: tellByMail(deps) };
  const files = await readFeedFiles(demoFeedFolder);
  const [known] = await db.select({ digest: feed.digest }).from(feed);
  const isOldDemo =
    known?.digest === digestOf(new Map([...files].filter(([name]) => name !== 'settings.json')));
  if (known && !isOldDemo) await rollTimetable(db, options);
  else await importTimetable(db, files, options);
}
