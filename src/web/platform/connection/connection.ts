import { ping } from '#contract/system/endpoints.ts';
import type { ConnectionReason, ConnectionState } from '#contract/worker-messages.ts';
import { createStore, useStore } from '../create-store.ts';

/**
 * `restored`: the API answers again, and the customer has not yet chosen to reload or to continue. Automatic reloads
 * need `available`.
 */
export type ConnectionPhase = 'available' | 'lost' | 'restored';

/** The last finding about the API, from this tab or another one; `at` in epoch milliseconds. */
export type Finding = { state: ConnectionState; at: number; why: ConnectionReason; isOwn: boolean };

/**
 * Whether the API can be reached. This page's requests set it; probing and the exchange with other tabs load after
 * the first screen, see `app/watch-connection.ts`.
 */
export const apiAvailable = createStore(true);
export const connectionPhase = createStore<ConnectionPhase>('available');
export const lastFinding = createStore<Finding | null>(null);

/** True from a loss until the screen's data is refetched, so that customers do not write based on outdated data. */
export const writesPaused = createStore(false);

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

export function useWritesPaused(): boolean {
  return useStore(writesPaused, () => false);
}

export function markUnavailable(why: ConnectionReason = 'network', isOwn = true): void {
  if (!apiAvailable.get() || isLeaving.get()) return;
  writesPaused.set(true);
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

/** The customer continues without reloading. */
export function keepWorking(): void {
  if (connectionPhase.get() === 'restored') connectionPhase.set('available');
}

/** Registers a refetch of data that may have changed during a loss. Writing waits for it. */
export function onRestored(refetch: () => Promise<unknown>): () => void {
  refetchers.add(refetch);
  return () => {
    refetchers.delete(refetch);
  };
}

export async function refetchAll(): Promise<void> {
  await Promise.allSettled([...refetchers].map((refetch) => refetch()));
}

/** Checks the API after a hint of a loss; concurrent calls share the check. Returns whether the API is available. */
export async function checkApi(): Promise<boolean> {
  if (pendingCheck.get() === null) pendingCheck.set(check().finally(() => pendingCheck.set(null)));
  await pendingCheck.get();
  return apiAvailable.get();
}

/** Pings the API. Aborting `controller` cancels it. */
export async function canReachApi(controller = new AbortController()): Promise<boolean> {
  const limit = setTimeout(() => controller.abort(), PING_TIMEOUT);
  try {
    const response = await fetch(ping.path, { cache: 'no-store', signal: controller.signal });
    return response.ok && isJson(response);
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}

/** False for a captive portal, which answers 200 with its own HTML page. */
export function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '');
}

const PING_TIMEOUT = 4000;

const refetchers = new Set<() => Promise<unknown>>();
const pendingCheck = createStore<Promise<void> | null>(null);

async function check(): Promise<void> {
  if (apiAvailable.get() && !(await canReachApi())) markUnavailable('probe');
}
