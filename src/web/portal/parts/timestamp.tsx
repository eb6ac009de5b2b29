import {
  formatClockOnDevice,
  formatDayOnDevice,
  formatOnDevice,
  isDayBefore,
  isSameDay,
} from '#web/features/site/device-time.ts';

/** "Today, 8:12 AM", or the date when the saved screen is painted on another day. `now` in milliseconds. */
export function Timestamp({ instant, now }: { instant: string; now: number }) {
  return (
    <time dateTime={instant} data-paint={formatTimestamp(instant, now)}>
      {formatWhenCapitalized(instant, now)}
    </time>
  );
}

/** "today, 8:12 AM", "yesterday, …", "Nov 3, 8:12 AM", "Nov 3, 2025"; on this device's clock. */
export function formatWhen(instant: string, now: number): string {
  const then = new Date(instant);
  if (isSameDay(then, now)) return `today, ${formatClockOnDevice(then)}`;
  if (isDayBefore(then, now)) return `yesterday, ${formatClockOnDevice(then)}`;
  return formatTimestamp(instant, now);
}

/** The same without "today" and "yesterday", so that it holds on any day. */
export function formatTimestamp(instant: string, now: number): string {
  const then = new Date(instant);
  if (then.getFullYear() !== new Date(now).getFullYear()) return formatDate(instant);
  return `${formatDayOnDevice(then)}, ${formatClockOnDevice(then)}`;
}

/** The same at the start of a line: "Today, 8:12 AM". */
export function formatWhenCapitalized(instant: string, now: number): string {
  const when = formatWhen(instant, now);
  return when.charAt(0).toUpperCase() + when.slice(1);
}

/** "Nov 3, 2026" on this device's clock. */
export function formatDate(instant: string): string {
  return formatOnDevice('date', instant);
}
