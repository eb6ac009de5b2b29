import { t } from '#web/language/texts.ts';
import { formatClockForReader, formatDayForReader, isDayBefore, isSameDay } from '../site/reader-time.ts';

/** "Updated 8:12 AM", with the day if it was not today; on this device's clock. `now` in milliseconds. */
export function formatFreshness(instants: readonly string[], now: number): string | null {
  const oldest = findOldest(instants);
  if (oldest === null) return null;
  const time = formatClockForReader(oldest);
  return isSameDay(oldest, now)
    ? t('Updated {time}', { time })
    : t('Updated {day}, {time}', { day: formatDayForReader(oldest), time });
}

/** For data saved on this device: "Saved 2:05 PM today", "Saved yesterday, 2:05 PM", "Saved Nov 3, 2:05 PM". */
export function formatSaved(instants: readonly string[], now: number): string | null {
  const age = findAge(instants, now);
  return (
    age &&
    t(
      '{when, select, today {Saved {time} today} yesterday {Saved yesterday, {time}} earlier {Saved earlier} other {Saved {day}, {time}}}',
      age,
    )
  );
}

/** For saved tickets, which may have been canceled since: "Last checked 2:05 PM today". */
export function formatChecked(instants: readonly string[], now: number): string | null {
  const age = findAge(instants, now);
  return (
    age &&
    t(
      '{when, select, today {Last checked {time} today} yesterday {Last checked yesterday, {time}} earlier {Last checked earlier} other {Last checked {day}, {time}}}',
      age,
    )
  );
}

/** The same within a line: "saved 2:05 PM", "saved yesterday, 2:05 PM", "saved Nov 3, 2:05 PM". */
export function formatSavedInLine(instants: readonly string[], now: number): string | null {
  const age = findAge(instants, now);
  return (
    age &&
    t(
      '{when, select, today {saved {time}} yesterday {saved yesterday, {time}} earlier {saved earlier} other {saved {day}, {time}}}',
      age,
    )
  );
}

/** `earlier`: the time is in the future, so one of the two clocks is wrong. */
type Age = { when: 'today' | 'yesterday' | 'earlier' | 'other'; day: string; time: string };

function findAge(instants: readonly string[], now: number): Age | null {
  const oldest = findOldest(instants);
  if (oldest === null) return null;
  const when =
    oldest.getTime() > now + CLOCKS_DIFFER_MS
      ? 'earlier'
      : isSameDay(oldest, now)
        ? 'today'
        : isDayBefore(oldest, now)
          ? 'yesterday'
          : 'other';
  return { when, day: formatDayForReader(oldest), time: formatClockForReader(oldest) };
}

/** A balance older than a day is shown as last known. */
export function isOldBalance(asOf: string, now: number): boolean {
  return now - Date.parse(asOf) > OLD_AFTER_MS;
}

/** "as of 2:02 PM today", "last known, Nov 3, 2:02 PM; may have changed"; on this device's clock. */
export function formatAsOf(asOf: string, now: number): string {
  const then = new Date(asOf);
  const time = formatClockForReader(then);
  if (isOldBalance(asOf, now)) {
    return t('last known, {day}, {time}; may have changed', { day: formatDayForReader(then), time });
  }
  return isDayBefore(then, now) ? t('as of {time} yesterday', { time }) : t('as of {time} today', { time });
}

/** The oldest of the valid instants. */
export function findOldest(instants: readonly string[]): Date | null {
  const times = instants.map((instant) => Date.parse(instant)).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

const OLD_AFTER_MS = 24 * 60 * 60_000;
const CLOCKS_DIFFER_MS = 5 * 60_000;
