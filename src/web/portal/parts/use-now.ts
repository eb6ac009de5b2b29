import { useEffect, useState } from 'react';

const TICK = 15_000;

/** The time in milliseconds, told again every 15 seconds. */
export function useNow(): number {
  return useClock(readNow);
}

/** When this device's day began, in milliseconds: what tells "today" from it is the same until midnight. */
export function useStartOfDay(): number {
  return useClock(readStartOfDay);
}

function useClock(read: () => number): number {
  const [time, setTime] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setTime(read()), TICK);
    return () => clearInterval(timer);
  }, [read]);
  return time;
}

function readNow(): number {
  return Date.now();
}

function readStartOfDay(): number {
  return new Date().setHours(0, 0, 0, 0);
}
