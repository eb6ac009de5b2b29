import type { Deps } from '../deps.ts';
import { rollTimetable } from './import-timetable.ts';

/** Rolls the timetable forward once a day, at a time when few people buy. */
export async function registerSailingsJobs({
  db,
  clock,
  jobs,
  log,
}: Pick<Deps, 'db' | 'clock' | 'jobs' | 'log'>): Promise<void> {
  await jobs.work('roll-timetable', async () => {
    const report = await rollTimetable(db, clock.now());
    if (report) log.info('timetable rolled', { ...report.sailings });
  });
  await jobs.schedule('roll-timetable', '20 10 * * *');
  await jobs.send('roll-timetable', {});
}
