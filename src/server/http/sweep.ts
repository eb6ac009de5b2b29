import { lt } from 'drizzle-orm';
import { sessions } from '../database/schema/people.ts';
import { providerEvents } from '../database/schema/sales.ts';
import { idempotencyKeys, rateLimits } from '../database/schema/system.ts';
import type { Deps } from '../deps.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const IDEMPOTENCY_HOURS = 48;
/** The provider repeats an event for three days at most; a month leaves room to look back. */
const EVENT_DAYS = 30;
/** Ended sessions stay a while, so that their owner can still be told about them. */
const SESSION_DAYS = 30;

/** Registers the hourly job that deletes what only had to be remembered for a while. */
export async function registerSweep(deps: Pick<Deps, 'db' | 'clock' | 'jobs'>): Promise<void> {
  await deps.jobs.work('sweep', () => sweep(deps));
  await deps.jobs.schedule('sweep', '17 * * * *');
}

/** Deletes run-out counters, old idempotency keys, old provider events and sessions long over. */
export async function sweep({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime();
  const before = (milliseconds: number) => new Date(now - milliseconds);
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, before(0)));
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.insertedAt, before(IDEMPOTENCY_HOURS * HOUR)));
  await db.delete(providerEvents).where(lt(providerEvents.receivedAt, before(EVENT_DAYS * DAY)));
  await db.delete(sessions).where(lt(sessions.expiresAt, before(SESSION_DAYS * DAY)));
  await db.delete(sessions).where(lt(sessions.revokedAt, before(SESSION_DAYS * DAY)));
}
