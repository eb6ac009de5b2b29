import { MONTH_NAMES } from '#web/ui/calendar/calendar.ts';
import { writeClock } from './local-time.ts';

/*
 * Times on this device's clock, as en-US writes them. By hand, because they are told before the first paint: the first
 * Intl.DateTimeFormat of a page keeps a slow phone busy for fifty milliseconds.
 */

/** "8:12 AM" */
export function formatClockOnDevice(instant: string | Date): string {
  const then = new Date(instant);
  return writeClock(then.getHours(), then.getMinutes());
}

/** "Nov 3" */
export function formatDayOnDevice(instant: string | Date): string {
  const then = new Date(instant);
  return `${MONTH_NAMES[then.getMonth()]?.slice(0, 3)} ${then.getDate()}`;
}

export function isSameDay(a: Date | number, b: Date | number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** Whether `a` is of the day before that of `b`. */
export function isDayBefore(a: Date | number, b: Date | number): boolean {
  const dayBefore = new Date(b);
  dayBefore.setDate(dayBefore.getDate() - 1);
  return isSameDay(a, dayBefore);
}
