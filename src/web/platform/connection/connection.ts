import type { ConnectionReason, ConnectionState } from '#contract/worker-messages.ts';
import { createStore, useStore } from '../create-store.ts';

/**
 * `restored`: the API answers again, and the customer has not yet said what to do about it. Nobody reloads the page
 * by itself unless it is `available`.
 */
export type ConnectionPhase = 'available' | 'lost' | 'restored';

/** What was last found out about the API, here or in another tab; `at` in epoch milliseconds. */
export type Finding = { state: ConnectionState; at: number; why: ConnectionReason; isOwn: boolean };

/**
 * Whether the API can be reached. The calls of this page are the witness; looking for the way back, and telling the
 * other tabs, is in `watch.ts`, which comes after the first screen.
 */
export const apiAvailable = createStore(true);
export const connectionPhase = createStore<ConnectionPhase>('available');
export const lastFinding = createStore<Finding | null>(null);

/** From the loss until what is on screen was asked for again: what is written now would be written blindly. */
export const writesOff = createStore(false);

/** Leaving a page aborts its requests, which says nothing about the connection. */
const isLeaving = createStore(false);

/** Once per page, before its first request. */
export function watchLeaving(): void {
  window.addEventListener('pagehide', () => isLeaving.set(true));
  window.addEventListener('pageshow', () => isLeaving.set(false));
}

export function useApiAvailable(): boolean {
  return useStore(apiAvailable, () => true);
}

export function useConnectionPhase(): ConnectionPhase {
  return useStore(connectionPhase, () => 'available');
}

export function useWritesOff(): boolean {
  return useStore(writesOff, () => false);
}

export function markUnavailable(why: ConnectionReason = 'network', isOwn = true): void {
  if (!apiAvailable.get() || isLeaving.get()) return;
  writesOff.set(true);
  connectionPhase.set('lost');
  apiAvailable.set(false);
  lastFinding.set({ state: 'unavailable', at: Date.now(), why, isOwn });
}

export function markAvailable(isOwn = true): void {
  if (apiAvailable.get()) return;
  connectionPhase.set('restored');
  apiAvailable.set(true);
  lastFinding.set({ state: 'available', at: Date.now(), why: 'probe', isOwn });
}

/** The customer goes on without reloading. */
export function keepWorking(): void {
  if (connectionPhase.get() === 'restored') connectionPhase.set('available');
}

/** Asks again for what may have changed meanwhile; runs after each loss, and writing waits for it. */
export function onRestored(refetch: () => Promise<unknown>): () => void {
  refetchers.add(refetch);
  return () => {
    refetchers.delete(refetch);
  };
}

export async function refetchAll(): Promise<void> {
  await Promise.allSettled([...refetchers].map((refetch) => refetch()));
}

/** A captive portal answers 200 with its own page: that is not our API. */
export function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '');
}

const refetchers = new Set<() => Promise<unknown>>();
