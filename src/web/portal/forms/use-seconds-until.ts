import { useEffect, useState } from 'react';

/** Counts down to an instant (milliseconds since 1970) and stays at 0. */
export function useSecondsUntil(instant: number): number {
  const [now, setNow] = useState(Date.now);
  const [counted, setCounted] = useState(instant);
  if (counted !== instant) {
    setCounted(instant);
    setNow(Date.now());
  }
  const isOver = now >= instant;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, Math.ceil((instant - now) / 1000));
}
