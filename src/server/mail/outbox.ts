import { and, lt, ne } from 'drizzle-orm';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';

export type Mail = typeof mails.$inferSelect;
export type RenderedMail = { subject: string; text: string; html: string };

/**
 * Fire and forget: has the queued mails sent in their order; call it after the commit. If the call is lost, the run of
 * every minute sends the mails.
 */
export function wakeMailWorker(jobs: Pick<Jobs, 'trigger'>): void {
  jobs.trigger('send-due-mails');
}

/** Deletes old mails that were sent or failed. */
export const deleteOldMails: RetentionRule = async (db, now, keepDays) => {
  const end = daysBefore(now, keepDays.mails);
  await db.delete(mails).where(and(ne(mails.status, 'queued'), lt(mails.insertedAt, end)));
};
