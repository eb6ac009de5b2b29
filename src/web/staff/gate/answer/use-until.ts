import { useEffect, useState } from 'react';
import { serverNow } from '#web/platform/server-clock.ts';

/** Whether a time, in milliseconds since 1970 by the server's clock, is still to come. */
export function useUntil(end: number): boolean {
  const [isBefore, setIsBefore] = useState(() => serverNow() < end);
  useEffect(() => {
    const timer = setTimeout(() => setIsBefore(serverNow() < end), Math.max(0, end - serverNow()));
    return () => clearTimeout(timer);
  }, [end]);
  return isBefore;
}
