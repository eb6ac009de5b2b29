import { useSyncExternalStore } from 'react';

/** False while prerendered markup is taken over, so that the first render is the server's. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
