import { and, lt, ne } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import type { Database } from '../database/database.ts';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';
import { type MailContent, renderHtml, renderText } from './mail-content.ts';

export type Mail = typeof mails.$inferSelect;
export type RenderedMail = { subject: string; text: string; html: string };

/**
 * Fire and forget: has the queued mails sent in their order; call it after the commit. If the call is lost, the run of
 * every minute sends the mails.
 */
export function wakeMailWorker(jobs: Pick<Jobs, 'trigger'>): void {
  jobs.trigger('send-due-mails');
}

type WrittenMail = {
  kind: string;
  to: string;
  content: MailContent;
  now: Date;
  /** The order that it is about. */
  orderId?: string | null;
  /** The receipt that is attached as PDF. */
  receiptId?: string;
};

/**
 * Queues a mail whose content does not change until it is sent; its title is the subject.
 * @returns the mail's id
 */
export async function queueWrittenMail(
  db: Database,
  { kind, to, content, now, ...about }: WrittenMail,
): Promise<string> {
  const id = newId('mal');
  await db.insert(mails).values({
    ...{ id, kind, toAddress: to, subject: content.title, ...about },
    ...{ text: renderText(content), html: renderHtml(content) },
    ...{ status: 'queued', tryAt: now, insertedAt: now },
  });
  return id;
}

/** Deletes old mails that were sent or failed. */
export const deleteOldMails: RetentionRule = async (db, now, keepDays) => {
  const end = daysBefore(now, keepDays.mails);
  await db.delete(mails).where(and(ne(mails.status, 'queued'), lt(mails.insertedAt, end)));
};
