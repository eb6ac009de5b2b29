import { useEffect, useState } from 'react';
import { readLocalTime } from '#domain/format/dates.ts';
import { serverNow } from '#web/platform/server-clock.ts';

/** The local time in a zone now, `2026-06-01T08:40`. Changes with the minute. */
export function usePortTime(timeZone: string): string {
  const [time, setTime] = useState(() => readLocalTime(serverNow(), timeZone));
  useEffect(() => {
    const read = () => setTime(readLocalTime(serverNow(), timeZone));
    read();
    const timer = setInterval(read, 1000);
    return () => clearInterval(timer);
  }, [timeZone]);
  return time;
}
