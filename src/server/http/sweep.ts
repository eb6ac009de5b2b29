import { and, eq, gt, inArray, lt, ne, notExists, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import {
  accountLinks,
  securityEvents,
  sessions,
  signInAttempts,
  spentChallenges,
} from '../database/schema/people.ts';
import { releaseFiles, releases, runningProcesses } from '../database/schema/releases.ts';
import { providerEvents } from '../database/schema/sales.ts';
import { idempotencyKeys, mails, rateLimits } from '../database/schema/system.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ANSWERS_KEPT_MS } from './idempotency.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The provider repeats an event for three days at most; a month leaves room to look back. */
const EVENT_DAYS = 30;
/** Ended sessions stay a while, so that their owner can still be told about them. */
const ENDED_SESSION_DAYS = 30;
/** Who comes back to a dead link or code within a day is told so, not that it never was. */
const ATTEMPT_DAYS = 1;
/** Mails that left or failed: long enough for "I got nothing" to be looked into. */
const MAIL_DAYS = 30;
/** Eighteen months: what an owner may still want to look back at. */
const SECURITY_EVENT_DAYS = 548;
/**
 * After a release was last run. A device keeps the screens of two releases itself; what it must fetch is what an open
 * tab loads late, and a tab that is looked at again is brought to the current release.
 */
const RELEASE_DAYS = 30;

/** Registers the hourly job that deletes what only had to be remembered for a while. */
export async function registerSweep(deps: Pick<Deps, 'db' | 'clock' | 'jobs'>): Promise<void> {
  await deps.jobs.work('sweep', () => sweep(deps));
  await deps.jobs.schedule('sweep', '17 * * * *');
}

/**
 * Deletes run-out counters, old idempotency keys, old provider events and sessions long over; links, sign-in attempts
 * and challenges that are past their end; mails done with a month ago; security events of more than eighteen months;
 * and releases no process has run for a month, with their files.
 */
export async function sweep({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime();
  const before = (milliseconds: number) => new Date(now - milliseconds);
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, before(0)));
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.insertedAt, before(ANSWERS_KEPT_MS)));
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, before(EVENT_DAYS * DAY)));
  await db.delete(sessions).where(lt(sessions.expiresAt, before(ENDED_SESSION_DAYS * DAY)));
  await db.delete(sessions).where(lt(sessions.revokedAt, before(ENDED_SESSION_DAYS * DAY)));
  await db.delete(accountLinks).where(lt(accountLinks.expiresAt, before(ATTEMPT_DAYS * DAY)));
  await db.delete(signInAttempts).where(lt(signInAttempts.expiresAt, before(ATTEMPT_DAYS * DAY)));
  await db.delete(spentChallenges).where(lt(spentChallenges.expiresAt, before(0)));
  await db
    .delete(mails)
    .where(and(ne(mails.status, 'queued'), lt(mails.insertedAt, before(MAIL_DAYS * DAY))));
  await db.delete(securityEvents).where(lt(securityEvents.insertedAt, before(SECURITY_EVENT_DAYS * DAY)));
  await sweepReleases(db, before);
}

async function sweepReleases(db: Database, before: (milliseconds: number) => Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A release that is being published relies on the files it finds stored.
    await tx.execute(sql`lock table release_files in share row exclusive mode`);
    const running = tx
      .select({ version: runningProcesses.version })
      .from(runningProcesses)
      .where(gt(runningProcesses.seenAt, before(HOUR)));
    await tx
      .update(releases)
      .set({ lastRunAt: before(0) })
      .where(inArray(releases.version, running));
    await tx.delete(runningProcesses).where(lt(runningProcesses.seenAt, before(HOUR)));
    await tx.delete(releases).where(lt(releases.lastRunAt, before(RELEASE_DAYS * DAY)));
    const users = tx
      .select({ version: releases.version })
      .from(releases)
      .where(eq(releaseFiles.path, sql`any (${releases.paths})`));
    await tx.delete(releaseFiles).where(notExists(users));
  });
}
