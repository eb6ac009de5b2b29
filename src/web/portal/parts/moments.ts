import {
  formatClockOnDevice,
  formatDayOnDevice,
  isDayBefore,
  isSameDay,
} from '#web/features/site/device-time.ts';

/** "today, 8:12 AM", "yesterday, …", "Nov 3, 8:12 AM", "Nov 3, 2025"; on this device's clock. */
export function formatWhen(instant: string, now: number): string {
  const then = new Date(instant);
  if (isSameDay(then, now)) return `today, ${formatClockOnDevice(then)}`;
  if (isDayBefore(then, now)) return `yesterday, ${formatClockOnDevice(then)}`;
  return formatMoment(instant, now);
}

/** The same by its date only, which another day does not make untrue. */
export function formatMoment(instant: string, now: number): string {
  const then = new Date(instant);
  if (then.getFullYear() !== new Date(now).getFullYear()) return formatDate(instant);
  return `${formatDayOnDevice(then)}, ${formatClockOnDevice(then)}`;
}

/** The same where a line begins: "Today, 8:12 AM". */
export function formatWhenFirst(instant: string, now: number): string {
  const when = formatWhen(instant, now);
  return when.charAt(0).toUpperCase() + when.slice(1);
}

/** "Nov 3, 2026" on this device's clock. */
export function formatDate(instant: string): string {
  return `${formatDayOnDevice(instant)}, ${new Date(instant).getFullYear()}`;
}
