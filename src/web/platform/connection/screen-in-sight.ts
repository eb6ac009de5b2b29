import { useEffect } from 'react';
import { createStore, useStore } from '../create-store.ts';

const keepers = createStore(0);

/**
 * Keeps this screen readable while the connection is lost: the overlay docks at its edge instead of covering
 * it. For what a passenger must see just then: a ticket at the gate, or that a payment must not be repeated.
 */
export function useStaysInSight(): void {
  useEffect(() => {
    keepers.set(keepers.get() + 1);
    return () => keepers.set(keepers.get() - 1);
  }, []);
}

export function useScreenInSight(): boolean {
  return useStore(keepers, () => 0) > 0;
}
