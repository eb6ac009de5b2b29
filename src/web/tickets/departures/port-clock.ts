import { useEffect, useState } from 'react';
import { serverNow } from '#web/platform/server-clock.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time in a zone at an instant in milliseconds, to the minute: `2026-06-01T08:40`. */
export function readPortTime(timeZone: string, instant: number): string {
  const parts = getFormat(timeZone).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/** The local time in a zone now. Changes with the minute. */
export function usePortTime(timeZone: string): string {
  const [time, setTime] = useState(() => readPortTime(timeZone, serverNow()));
  useEffect(() => {
    const read = () => setTime(readPortTime(timeZone, serverNow()));
    read();
    const timer = setInterval(read, 1000);
    return () => clearInterval(timer);
  }, [timeZone]);
  return time;
}

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const digits = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    ...digits,
  });
  formats.set(timeZone, format);
  return format;
}
