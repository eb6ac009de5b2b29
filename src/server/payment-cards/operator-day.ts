import { localDay } from '#domain/port-time.ts';
import { feed } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';

/** Today where the operator is, `YYYY-MM-DD`: the day that decides whether a card has expired. */
export async function operatorDay({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<string> {
  const [known] = await db.select({ timeZone: feed.timeZone }).from(feed).limit(1);
  return localDay(clock.now().getTime(), known?.timeZone ?? 'UTC');
}
