import { fileURLToPath } from 'node:url';
import { feed } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';
import { readFeedFiles } from './feed/feed-files.ts';
import { importTimetable, rollTimetable } from './import-timetable.ts';
import { tellByMail } from './tell-travellers.ts';

/** The demo operator, as a feed like any operator's. */
export const demoFeedFolder = fileURLToPath(new URL('../database/demo/feed', import.meta.url));

/** Imports the demo operator when no feed was imported yet; else rolls the feed that was. */
export async function loadDemoTimetable(deps: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<void> {
  const { db, clock } = deps;
  const options = { now: clock.now(), tell: tellByMail(deps) };
  const [known] = await db.select({ name: feed.name }).from(feed);
  if (known) await rollTimetable(db, options);
  else await importTimetable(db, await readFeedFiles(demoFeedFolder), options);
}
