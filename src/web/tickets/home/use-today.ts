import { useSyncExternalStore } from 'react';
import { dayIn } from '#web/platform/day-in.ts';
import { findPageData } from '#web/platform/page-config.ts';
import { type IsoDate, todayOnDevice } from '#web/ui/calendar/calendar.ts';
import { subscribeToNothing } from '../use-hydrated.ts';

/** Today at the port: as the page was rendered at first, then by the clock, for a kept page may be days old. */
export function useToday(timeZone: string | undefined): IsoDate {
  const byClock = () => todayByClock(timeZone);
  return useSyncExternalStore(subscribeToNothing, byClock, () => findPageData()?.today ?? byClock());
}

/**
 * While the day goes on that the page came on, the page is believed: the first Intl.DateTimeFormat keeps a slow phone
 * busy for fifty milliseconds.
 */
function todayByClock(timeZone: string | undefined): IsoDate {
  const page = findPageData();
  if (page && Date.now() < Date.parse(page.today_ends_at)) return page.today;
  return todayIn(timeZone);
}

export function todayIn(timeZone: string | undefined, now: Date = new Date()): IsoDate {
  if (timeZone === undefined) return todayOnDevice();
  return dayIn(timeZone, now.getTime());
}
