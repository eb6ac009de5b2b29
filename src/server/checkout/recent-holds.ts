import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import type { HoldRow } from '../database/schema/sales.ts';
import type { PricedSale } from './pricing.ts';

/** A hold, the id of its quote, and how it was priced. */
export type RecentHold = PricedSale & { hold: HoldRow; quoteId: string };

/** More than a busy office has between hold and order at one time; each takes about two kilobytes. */
const MAX_HOLDS = 5000;

const recentHolds = perDatabase(() => new LRUCache<string, RecentHold>({ max: MAX_HOLDS }));

/** Remembers a hold that this process has taken, so that its order need not read and price it again. */
export function rememberHold(db: Database, recent: RecentHold): void {
  recentHolds(db).set(recent.hold.id, recent);
}

/**
 * A remembered hold, once. It may have changed since: the statement that writes the order compares it with the current one.
 */
export function recallHold(db: Database, holdId: string): RecentHold | undefined {
  const recent = recentHolds(db).get(holdId);
  recentHolds(db).delete(holdId);
  return recent;
}
