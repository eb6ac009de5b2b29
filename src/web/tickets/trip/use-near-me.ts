import { useState } from 'react';
import type { Position } from './port-groups.ts';

const TIME_LIMIT_MS = 10_000;
/** A ferry's ports are far apart, so an older position is good enough. */
const POSITION_AGE_MS = 10 * 60_000;
const DENIED = 'Your browser does not say where you are. Search for the port, or choose it from the list.';

/** The device's position, asked for only when the customer wants it. `ask` is null where there is nothing to ask. */
export function useNearMe() {
  const [position, setPosition] = useState<Position | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);

  function ask() {
    setIsAsking(true);
    setProblem(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setIsAsking(false);
        setPosition({ lat: coords.latitude, lon: coords.longitude });
      },
      () => {
        setIsAsking(false);
        setProblem(DENIED);
      },
      { timeout: TIME_LIMIT_MS, maximumAge: POSITION_AGE_MS },
    );
  }

  const canAsk = position === null && 'geolocation' in navigator;
  return { position, problem, isAsking, ask: canAsk ? ask : null };
}
