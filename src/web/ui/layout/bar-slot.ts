import { useSyncExternalStore } from 'react';

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** For the sticky bar on screen: null when it goes. */
export function setBarSlot(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

/** The element in the sticky bar, above the main action, that takes a notice; null without a bar. */
export function useBarSlot(): HTMLElement | null {
  return useSyncExternalStore(
    subscribe,
    () => slot,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
