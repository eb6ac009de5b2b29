import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { mails } from '../database/schema/system.ts';
import type { Jobs } from '../jobs/jobs.ts';

export type Mail = typeof mails.$inferSelect;
export type WrittenLetter = { subject: string; text: string; html: string };

/** While a worker has a mail, others leave it alone: longer than the SMTP time limits add up to. */
const LEASE_SECONDS = 300;
const FIRST_WAIT_SECONDS = 15;
const LONGEST_WAIT_SECONDS = 3600;
/** About two and a half days of trying. */
const ATTEMPTS = 60;

/**
 * Has the mails that were noted sent, in their turn; call it after the commit. Nobody waits for the asking, and
 * whoever forgets to ask, or dies before, is covered by the run of every minute.
 */
export function wakeMailWorker(jobs: Pick<Jobs, 'trigger'>): void {
  jobs.trigger('send-due-mails');
}

/** Takes a mail for sending: at most one worker gets it, and until its lease ends no other. */
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

/** Keeps the letter of a mail, so that another try sends the same. */
export async function saveLetter(db: Database, id: string, letter: WrittenLetter): Promise<void> {
  await db.update(mails).set(letter).where(eq(mails.id, id));
}

/** It is with its receiver: the secrets it carried need not be here any longer. */
export async function markSent(db: Database, id: string, clock: Clock): Promise<void> {
  await db
    .update(mails)
    .set({ status: 'sent', sentAt: clock.now(), sealedFacts: null })
    .where(eq(mails.id, id));
}

export async function markFailed(db: Database, id: string): Promise<void> {
  await db.update(mails).set({ status: 'failed', sealedFacts: null }).where(eq(mails.id, id));
}

/** Puts a mail back to be tried later, each time later; after two and a half days it is given up. */
export async function putBack(db: Database, mail: Mail, clock: Clock): Promise<void> {
  if (mail.attempts >= ATTEMPTS) return markFailed(db, mail.id);
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** (mail.attempts - 1), LONGEST_WAIT_SECONDS);
  await db
    .update(mails)
    .set({ tryAt: new Date(clock.now().getTime() + wait * 1000) })
    .where(eq(mails.id, mail.id));
}

/** Ids of mails whose time has come: those about accounts first, because somebody waits for them. */
export async function listDueMails(db: Database, clock: Clock, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.status, 'queued'), lte(mails.tryAt, clock.now())))
    .orderBy(sql`${mails.sealedFacts} is null`, asc(mails.tryAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
