/* Extends the timetable as the daily job does, a day after the import; prints what it did. */
import { openDatabase } from '#server/database/database.ts';
import { extendTimetable } from '#server/sailings/import-timetable.ts';

const DAY_MS = 24 * 3_600_000;

const { db, close } = await openDatabase({ url: process.env.DATABASE_URL ?? null, folder: null });
const report = await extendTimetable({
  db,
  config: { sms: null },
  clock: { now: () => new Date(Date.now() + DAY_MS) },
});
process.stdout.write(JSON.stringify(report !== null && 'sailings' in report ? report.sailings : report));
await close();
