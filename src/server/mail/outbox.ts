import { and, asc, eq, lt, lte, ne, sql } from 'drizzle-orm';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/database.ts';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { daysBefore } from '../retention.ts';

const MAIL_DAYS = 30;

export type Mail = typeof mails.$inferSelect;
export type RenderedMail = { subject: string; text: string; html: string };

/** While a worker has claimed a mail, others skip it. Longer than the sum of the SMTP timeouts. */
const LEASE_SECONDS = 300;
const FIRST_WAIT_SECONDS = 15;
const LONGEST_WAIT_SECONDS = 3600;
/** About two and a half days of attempts. */
const ATTEMPTS = 60;

/**
 * Fire and forget: has the queued mails sent in their order; call it after the commit. If the call is lost, the run of
 * every minute sends the mails.
 */
export function wakeMailWorker(jobs: Pick<Jobs, 'trigger'>): void {
  jobs.trigger('send-due-mails');
}

/** Claims a mail for sending; at most one worker gets it until its lease ends. */
export async function claimMail(db: Database, id: string, clock: Clock): Promise<Mail | null> {
  const now = clock.now();
  const [mail] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      tryAt: new Date(now.getTime() + LEASE_SECONDS * 1000),
    })
    .where(and(eq(mails.id, id), eq(mails.status, 'queued'), lte(mails.tryAt, now)))
    .returning();
  return mail ?? null;
}

/** Stores the rendered mail, so that a retry sends the same content. */
export async function saveRenderedMail(db: Database, id: string, content: RenderedMail): Promise<void> {
  await db.update(mails).set(content).where(eq(mails.id, id));
}

/** Marks the mail as delivered and deletes the secrets it contained. */
export async function markSent(db: Database, id: string, clock: Clock): Promise<void> {
  await db
    .update(mails)
    .set({ status: 'sent', sentAt: clock.now(), encryptedFacts: null })
    .where(eq(mails.id, id));
}

export async function markFailed(db: Database, id: string): Promise<void> {
  await db.update(mails).set({ status: 'failed', encryptedFacts: null }).where(eq(mails.id, id));
}

/** Schedules a retry with an increasing delay; gives up after two and a half days. */
export async function scheduleRetry(db: Database, mail: Mail, clock: Clock): Promise<void> {
  if (mail.attempts >= ATTEMPTS) return markFailed(db, mail.id);
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** (mail.attempts - 1), LONGEST_WAIT_SECONDS);
  await db
    .update(mails)
    .set({ tryAt: new Date(clock.now().getTime() + wait * 1000) })
    .where(eq(mails.id, mail.id));
}

/** Ids of due mails, account mails first, because their recipients are waiting. */
export async function listDueMails(db: Database, clock: Clock, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.status, 'queued'), lte(mails.tryAt, clock.now())))
    .orderBy(sql`${mails.encryptedFacts} is null`, asc(mails.tryAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Deletes mails that were sent or failed a month ago. */
export async function deleteOldMails(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, MAIL_DAYS);
  await db.delete(mails).where(and(ne(mails.status, 'queued'), lt(mails.insertedAt, end)));
}
