import { useEffect, useState } from 'react';

const TICK = 15_000;

/** The time in milliseconds, updated every 15 seconds. */
export function useNow(): number {
  return useClock(readNow);
}

/** The start of this device's day in milliseconds. Changes at midnight only. */
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
