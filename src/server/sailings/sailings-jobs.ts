import { countDays } from '#domain/time/days.ts';
import type { Context } from '../context.ts';
import { feed } from '../database/schema/timetable.ts';
import { queueOperatorMail } from '../mail/operator-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import type { OperatorMail } from '../mail/templates/operator.ts';
import { extendTimetable } from './import-timetable.ts';
import { operatorDay } from './operator.ts';
import { ImportRefused } from './preview/check-import.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'log'>;

/** Extends the timetable once a day, at a time of few purchases, and reminds the operator of its end. */
export async function registerSailingsJobs(context: JobContext): Promise<void> {
  const { jobs } = context;
  await jobs.work('roll-timetable', () => rollTimetable(context));
  await jobs.schedule('roll-timetable', '20 10 * * *');
  await jobs.send('roll-timetable', {});
}

async function rollTimetable(context: JobContext): Promise<void> {
  const result = await extendTimetable(context);
  if (result === null) return;
  if (result instanceof ImportRefused) await reportRefusal(context, result);
  else context.log.info('timetable rolled', { ...result.sailings });
  if (result.endsOn !== null) await remindOfEnd(context, result.endsOn);
}

async function reportRefusal(context: JobContext, { risk }: ImportRefused): Promise<void> {
  const { affected, sold } = risk;
  context.log.warn('timetable not rolled', { sold_sailings: sold, affected_sailings: affected });
  const [stored] = await context.db.select({ until: feed.windowUntil }).from(feed);
  if (!stored) return;
  await writeToOperator(context, {
    kind: 'timetable-not-extended',
    data: { until: stored.until, affected, sold },
  });
}

/** Writes once when 30 days are left and once when 7 are left; later runs make up for a missed day. */
async function remindOfEnd(context: JobContext, endsOn: string): Promise<void> {
  const daysLeft = countDays(await operatorDay(context), endsOn);
  if (daysLeft < 0 || daysLeft > 30) return;
  const kind = daysLeft <= 7 ? 'timetable-ends-7' : 'timetable-ends-30';
  await writeToOperator(context, { kind, data: { endsOn } });
}

async function writeToOperator(context: JobContext, mail: OperatorMail): Promise<void> {
  const mailId = await queueOperatorMail(context, mail);
  if (mailId !== null) wakeMailWorker(context.jobs);
}
