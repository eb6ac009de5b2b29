import type { Database } from './database.ts';
import { feed } from './schema/timetable.ts';

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
