import { useSyncExternalStore } from 'react';

/** False while prerendered markup is taken over, so that the first render is the server's. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

/** For what is asked anew at each render and tells of no change itself. */
export function subscribeToNothing(): () => void {
  return () => undefined;
}
