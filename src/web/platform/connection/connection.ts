import { apiPaths } from '#contract/paths.ts';
import { createStore, useStore } from '../create-store.ts';

const PING_INTERVAL = 1000;
const PING_TIMEOUT = 4000;

/** Whether the API can be reached. The calls of this page are the witness; `/api/ping` only finds the way back. */
export const apiAvailable = createStore(true);

export function useApiAvailable(): boolean {
  return useStore(apiAvailable, () => true);
}

export function markUnavailable(): void {
  apiAvailable.set(false);
  startPinging();
}

export function markAvailable(): void {
  stopPinging();
  apiAvailable.set(true);
}

/** The device's own word is never a verdict, but a reason to look: once, when it says that the network went. */
export function watchConnection(): void {
  window.addEventListener('offline', () => {
    if (apiAvailable.get()) void probe();
  });
}

async function probe(): Promise<void> {
  if (!(await reaches(new AbortController()))) markUnavailable();
}

let timer: ReturnType<typeof setInterval> | null = null;
let underWay: AbortController | null = null;

function startPinging(): void {
  if (timer !== null) return;
  document.addEventListener('visibilitychange', pingWhenVisible);
  window.addEventListener('online', pingWhenVisible);
  timer = setInterval(pingWhenVisible, PING_INTERVAL);
}

function stopPinging(): void {
  if (timer === null) return;
  clearInterval(timer);
  timer = null;
  underWay?.abort();
  underWay = null;
  document.removeEventListener('visibilitychange', pingWhenVisible);
  window.removeEventListener('online', pingWhenVisible);
}

function pingWhenVisible(): void {
  if (document.visibilityState !== 'hidden' && underWay === null) void ping();
}

async function ping(): Promise<void> {
  const controller = new AbortController();
  underWay = controller;
  const reached = await reaches(controller);
  if (underWay !== controller) return;
  underWay = null;
  if (reached) markAvailable();
}

async function reaches(controller: AbortController): Promise<boolean> {
  const limit = setTimeout(() => controller.abort(), PING_TIMEOUT);
  try {
    const response = await fetch(apiPaths.ping, { cache: 'no-store', signal: controller.signal });
    return response.ok && isJson(response);
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
  }
}

/** A captive portal answers 200 with its own page: that is not our API. */
export function isJson(response: Response): boolean {
  return /\bjson\b/.test(response.headers.get('content-type') ?? '');
}
