import { createRecent } from '../core/recent.ts';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import type { HoldRow } from '../database/schema/sales.ts';

/** More than a busy office has between hold and order at one time; each takes about a kilobyte. */
const MAX_HOLDS = 5000;

const recentHolds = perDatabase(() => createRecent<HoldRow>(MAX_HOLDS));

/** Remembers a hold that this process has taken, so that its order need not read it. */
export function rememberHold(db: Database, hold: HoldRow): void {
  recentHolds(db).set(hold.id, hold);
}

/**
 * A remembered hold, once. It may have changed since: the statement that writes the order compares it with the current one.
 */
export function recallHold(db: Database, holdId: string): HoldRow | undefined {
  return recentHolds(db).take(holdId);
}
