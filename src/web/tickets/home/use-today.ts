import { useEffect, useState } from 'react';
import { whenIdle } from '#web/platform/next-task.ts';
import { findPageData } from '#web/platform/page-config.ts';
import { type IsoDate, todayOnDevice } from '#web/ui/calendar.ts';
import { useHydrated } from '../use-hydrated.ts';

/**
 * Today at the port: as the page was rendered at first, then by the clock, for a kept page may be days old. The
 * clock waits until the page answers, for the first Intl.DateTimeFormat keeps a slow phone busy for fifty
 * milliseconds.
 */
export function useToday(timeZone: string | undefined): IsoDate {
  const [asksClock, setAsksClock] = useState(useHydrated());
  useEffect(() => whenIdle(() => setAsksClock(true)), []);
  const rendered = findPageData()?.today;
  if (!asksClock && rendered !== undefined) return rendered;
  return todayIn(timeZone);
}

export function todayIn(timeZone: string | undefined, now: Date = new Date()): IsoDate {
  if (timeZone === undefined) return todayOnDevice();
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}
