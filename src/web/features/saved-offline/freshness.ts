import { formatClockOnDevice, formatDayOnDevice, isDayBefore, isSameDay } from '../site/device-time.ts';

/** "Updated 8:12 AM", with the day if it was not today; on this device's clock. `now` in milliseconds. */
export function formatFreshness(instants: readonly string[], now: number): string | null {
  const oldest = findOldest(instants);
  if (oldest === null) return null;
  const day = isSameDay(oldest, now) ? '' : `${formatDayOnDevice(oldest)}, `;
  return `Updated ${day}${formatClockOnDevice(oldest)}`;
}

/** For data saved on this device: "Saved 2:05 PM today", "Saved yesterday, 2:05 PM", "Saved Nov 3, 2:05 PM". */
export function formatSaved(instants: readonly string[], now: number): string | null {
  const when = formatWhen(instants, now);
  return when === null ? null : `Saved ${when}`;
}

/** For saved tickets, which may have been canceled since: "Last checked 2:05 PM today". */
export function formatChecked(instants: readonly string[], now: number): string | null {
  const when = formatWhen(instants, now);
  return when === null ? null : `Last checked ${when}`;
}

function formatWhen(instants: readonly string[], now: number): string | null {
  const line = formatSavedInLine(instants, now);
  if (line === null) return null;
  const isToday = isSameDay(findOldest(instants) ?? now, now) && line !== SAVED_EARLIER;
  return `${line.slice('saved '.length)}${isToday ? ' today' : ''}`;
}

/** The same within a line: "saved 2:05 PM", "saved yesterday, 2:05 PM", "saved Nov 3, 2:05 PM". */
export function formatSavedInLine(instants: readonly string[], now: number): string | null {
  const oldest = findOldest(instants);
  if (oldest === null) return null;
  // One of the two clocks is wrong, so the hour would be too.
  if (oldest.getTime() > now + CLOCKS_DIFFER_MS) return SAVED_EARLIER;
  const clock = formatClockOnDevice(oldest);
  if (isSameDay(oldest, now)) return `saved ${clock}`;
  return `saved ${isDayBefore(oldest, now) ? 'yesterday' : formatDayOnDevice(oldest)}, ${clock}`;
}

/** A balance older than a day is shown as last known. */
export function isOldBalance(asOf: string, now: number): boolean {
  return now - Date.parse(asOf) > OLD_AFTER_MS;
}

/** "as of 2:02 PM today", "last known, Nov 3, 2:02 PM; may have changed"; on this device's clock. */
export function formatAsOf(asOf: string, now: number): string {
  const then = new Date(asOf);
  const clock = formatClockOnDevice(then);
  if (isOldBalance(asOf, now)) return `last known, ${formatDayOnDevice(then)}, ${clock}; may have changed`;
  return `as of ${clock} ${isDayBefore(then, now) ? 'yesterday' : 'today'}`;
}

/** The oldest of the valid instants. */
export function findOldest(instants: readonly string[]): Date | null {
  const times = instants.map((instant) => Date.parse(instant)).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

const SAVED_EARLIER = 'saved earlier';
const OLD_AFTER_MS = 24 * 60 * 60_000;
const CLOCKS_DIFFER_MS = 5 * 60_000;
