import { t } from '#web/language/texts.ts';
import {
  formatClockForReader,
  formatDayForReader,
  formatForReader,
  isDayBefore,
  isSameDay,
  isSameYear,
} from './reader-time.ts';

/** "Today, 8:12 AM", or the date when the saved screen is painted on another day. `now` in milliseconds. */
export function Timestamp({ instant, now }: { instant: string; now: number }) {
  return (
    <time dateTime={instant} data-paint={formatTimestamp(instant, now)}>
      {formatWhenCapitalized(instant, now)}
    </time>
  );
}

/** "today, 8:12 AM", "yesterday, …", "Nov 3, 8:12 AM", "Nov 3, 2025", "Jan 1, 2027, 8:12 AM"; on the reader's clock. */
export function formatWhen(instant: string, now: number): string {
  const then = new Date(instant);
  const time = formatClockForReader(then);
  if (isSameDay(then, now)) return t('today, {time}', { time });
  if (isDayBefore(then, now)) return t('yesterday, {time}', { time });
  return formatTimestamp(instant, now);
}

/** The same without "today" and "yesterday", so that it holds on any day. */
export function formatTimestamp(instant: string, now: number): string {
  const then = new Date(instant);
  const clock = formatClockForReader(then);
  if (isSameYear(then, now)) return `${formatDayForReader(then)}, ${clock}`;
  // Of what is long past the day is enough; a deadline has a time.
  return then.getTime() < now ? formatDate(instant) : `${formatDate(instant)}, ${clock}`;
}

/** The same at the start of a line: "Today, 8:12 AM". */
export function formatWhenCapitalized(instant: string, now: number): string {
  const then = new Date(instant);
  const time = formatClockForReader(then);
  if (isSameDay(then, now)) return t('Today, {time}', { time });
  if (isDayBefore(then, now)) return t('Yesterday, {time}', { time });
  return formatTimestamp(instant, now);
}

/** "Nov 3, 2026" on the reader's clock. */
export function formatDate(instant: string): string {
  return formatForReader('date', instant);
}
