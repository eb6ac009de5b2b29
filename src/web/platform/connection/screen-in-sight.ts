import { useLayoutEffect } from 'react';
import { createStore, type Store, useStore } from '../create-store.ts';

const keepers = createStore(0);
const codes = createStore(0);

/**
 * Keeps this screen readable while the connection is lost: the overlay docks at its edge instead of covering
 * it. For what a passenger must see just then: a ticket at the gate, or that a payment must not be repeated.
 */
export function useStaysInSight(): void {
  useCounted(keepers);
}

export function useScreenInSight(): boolean {
  return useStore(keepers, none) > 0;
}

/** A code on this screen is held up to a reader: once read, the docked overlay makes itself small. */
export function useShowsCode(): void {
  useCounted(codes);
}

export function useCodeInSight(): boolean {
  return useStore(codes, none) > 0;
}

/** Before anything is painted: else the overlay would cover the screen for a moment, and take the focus. */
function useCounted(store: Store<number>): void {
  useLayoutEffect(() => {
    store.set(store.get() + 1);
    return () => store.set(store.get() - 1);
  }, [store]);
}

function none(): number {
  return 0;
}
