import { useEffect, useState } from 'react';
import { serverNow } from '#web/platform/server-clock.ts';

const TICK = 15_000;

/** The server's time in milliseconds, updated every 15 seconds. */
export function useNow(): number {
  return useClock(serverNow);
}

/** The start of this device's day in milliseconds. Changes at midnight only. */
export function useStartOfDay(): number {
  return useClock(readStartOfDay);
}

function useClock(read: () => number): number {
  const [, setTime] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setTime(read()), TICK);
    return () => clearInterval(timer);
  }, [read]);
  // Not the time of the last tick: the answer that is rendered may have corrected the clock.
  return read();
}

function readStartOfDay(): number {
  return new Date(serverNow()).setHours(0, 0, 0, 0);
}
