import { useLayoutEffect } from 'react';
import { createStore, type Store, useStore } from '../create-store.ts';

const readable = createStore<readonly string[]>([]);
const shownAtGate = createStore<readonly string[]>([]);

/**
 * Keeps this screen readable while the connection is lost: the overlay docks at its edge instead of covering
 * it. For what a passenger must see just then: a ticket at the gate, or that a payment must not be repeated.
 */
export function useReadableOffline(): void {
  useEntry(readable, '');
}

export function useIsReadableOffline(): boolean {
  return useStore(readable, none).length > 0;
}

/** This screen has a code or a balance of this age ("saved 8:04 AM"): the docked overlay starts as one line. */
export function useShowsAtGate(age: string | null): void {
  useEntry(shownAtGate, age ?? '');
}

/** The ages of the codes and balances on this screen; empty where there are none. */
export function useShownAtGate(): readonly string[] {
  return useStore(shownAtGate, none);
}

/** Before anything is painted: else the overlay would cover the screen for a moment, and take the focus. */
function useEntry(store: Store<readonly string[]>, entry: string): void {
  useLayoutEffect(() => {
    store.set((entries) => [...entries, entry]);
    return () => store.set((entries) => entries.toSpliced(entries.indexOf(entry), 1));
  }, [store, entry]);
}

const NONE: readonly string[] = [];

function none(): readonly string[] {
  return NONE;
}
