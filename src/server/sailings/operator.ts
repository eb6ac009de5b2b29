import { localDay } from '#domain/port-time.ts';
import type { Database } from '../database/database.ts';
import { feed } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';

/** Operators without an imported feed have neither; then nothing is sold anyway. */
const FALLBACK = { currency: 'USD', timeZone: 'UTC' };

/** The operator's currency and the zone whose days count. */
export async function operatorOf(db: Database): Promise<{ currency: string; timeZone: string }> {
  const [operator] = await db
    .select({ currency: feed.currency, timeZone: feed.timeZone })
    .from(feed)
    .limit(1);
  return operator ?? FALLBACK;
}

/** Today where the operator is, `YYYY-MM-DD`. */
export async function operatorDay({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<string> {
  const { timeZone } = await operatorOf(db);
  return localDay(clock.now().getTime(), timeZone);
}
