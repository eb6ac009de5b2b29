import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { feed } from '../database/schema/timetable.ts';

/** Used before a feed is imported, when nothing is on sale. */
const FALLBACK = { currency: 'USD', timeZone: 'UTC' };

/** The operator's currency, and the zone that defines its days. */
export async function getOperator(db: Database): Promise<{ currency: string; timeZone: string }> {
  const [operator] = await db
    .select({ currency: feed.currency, timeZone: feed.timeZone })
    .from(feed)
    .limit(1);
  return operator ?? FALLBACK;
}

/** The operator's current day, `YYYY-MM-DD`. */
export async function operatorDay({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<string> {
  const { timeZone } = await getOperator(db);
  return getLocalDay(clock.now().getTime(), timeZone);
}
