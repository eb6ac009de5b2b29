import { useLayoutEffect } from 'react';
import { createStore, useStore } from '../create-store.ts';

const keepers = createStore(0);

/**
 * Keeps this screen readable while the connection is lost: the overlay docks at its edge instead of covering
 * it. For what a passenger must see just then: a ticket at the gate, or that a payment must not be repeated.
 */
export function useStaysInSight(): void {
  // Before anything is painted: else the overlay would cover the screen for a moment, and take the focus.
  useLayoutEffect(() => {
    keepers.set(keepers.get() + 1);
    return () => keepers.set(keepers.get() - 1);
  }, []);
}

export function useScreenInSight(): boolean {
  return useStore(keepers, () => 0) > 0;
}
