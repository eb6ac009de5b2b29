import { useSyncExternalStore } from 'react';
import { readLocalDay } from '#domain/format/dates.ts';
import { findPageData } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { type IsoDate, todayOnDevice } from '#web/ui/calendar/calendar.ts';

/** False while prerendered markup is hydrated, so that the first render equals the server's. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

/** Today at the port. At first the day the page was rendered on, then the clock's: a cached page may be days old. */
export function useToday(timeZone: string | undefined): IsoDate {
  const readClock = () => todayByClock(timeZone);
  return useSyncExternalStore(subscribeToNothing, readClock, () => findPageData()?.today ?? readClock());
}

/** Uses the page’s own day while it lasts. */
function todayByClock(timeZone: string | undefined): IsoDate {
  const page = findPageData();
  if (page && serverNow() < Date.parse(page.today_ends_at)) return page.today;
  return timeZone === undefined ? todayOnDevice() : readLocalDay(serverNow(), timeZone);
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
