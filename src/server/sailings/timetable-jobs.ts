import type { Context } from '../context.ts';
import { extendTimetable } from './import-timetable.ts';
import { notifyPassengers } from './notify-passengers.ts';

/** Extends the timetable once a day, at a time of few purchases. */
export async function registerSailingsJobs(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'log'>,
): Promise<void> {
  const { db, clock, jobs, log } = context;
  await jobs.work('roll-timetable', async () => {
    const report = await extendTimetable(db, { now: clock.now(), notify: notifyPassengers(context) });
    if (report) log.info('timetable rolled', { ...report.sailings });
  });
  await jobs.schedule('roll-timetable', '20 10 * * *');
  await jobs.send('roll-timetable', {});
}
