import { useEffect, useState } from 'react';

const TICK = 15_000;

/** The time in milliseconds, told again every 15 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
