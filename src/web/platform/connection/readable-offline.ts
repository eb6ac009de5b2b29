import { useLayoutEffect } from 'react';
import { createStore, type Store, useStore } from '../create-store.ts';

const readable = createStore<readonly string[]>([]);
const showsConnection = createStore<readonly string[]>([]);
const shownAtGate = createStore<readonly string[]>([]);

/**
 * Keeps this screen readable while the connection is lost: the overlay docks at its edge instead of covering it. For
 * what passengers need then: a ticket at the gate, or the warning not to pay again.
 */
export function useReadableOffline(): void {
  useEntry(readable, '');
}

export function useIsReadableOffline(): boolean {
  return useStore(readable, none).length > 0;
}

/** This screen shows a code or a balance of this age ("saved 8:04 AM"), so the docked overlay starts as one line. */
export function useShowsAtGate(age: string | null): void {
  useEntry(shownAtGate, age ?? '');
}

/**
 * This screen works without a connection and says itself whether there is one: the overlay is not shown over it.
 */
export function useShowsConnection(): void {
  useEntry(showsConnection, '');
}

export function useIsConnectionShown(): boolean {
  return useStore(showsConnection, none).length > 0;
}

/** The ages of the codes and balances on this screen. */
export function useShownAtGate(): readonly string[] {
  return useStore(shownAtGate, none);
}

/** A layout effect, because after the first paint the overlay would cover the screen briefly and take the focus. */
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
