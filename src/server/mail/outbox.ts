import { and, eq, lt, ne } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { daysBefore } from '../retention.ts';

const MAIL_DAYS = 30;

export type Mail = typeof mails.$inferSelect;
export type RenderedMail = { subject: string; text: string; html: string };

/**
 * Fire and forget: has the queued mails sent in their order; call it after the commit. If the call is lost, the run of
 * every minute sends the mails.
 */
export function wakeMailWorker(jobs: Pick<Jobs, 'trigger'>): void {
  jobs.trigger('send-due-mails');
}

/** Stores the rendered mail, so that a retry sends the same content. */
export async function saveRenderedMail(db: Database, id: string, content: RenderedMail): Promise<void> {
  await db.update(mails).set(content).where(eq(mails.id, id));
}

/** Deletes mails that were sent or failed a month ago. */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, MAIL_DAYS);
  await db.delete(mails).where(and(ne(mails.status, 'queued'), lt(mails.insertedAt, end)));
}
