import { Workbox } from 'workbox-window';
import {
  ANSWER_WITHIN,
  type FromWorker,
  findFromWorker,
  type ToWorker,
  WORKER_PATH,
  type WorkerState,
} from '#contract/worker-messages.ts';
import { createStore, whenState } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { report } from '../reporting/reporting.ts';
import { currentSettings, settingsStore } from '../settings/settings.ts';
import { trustedScript } from '../trusted-types.ts';

/*
 * The page's side of the service worker. The app works without one: questions then have no answer, and no messages
 * arrive.
 */

type News = Exclude<FromWorker, { type: 'STATE' }>;
type Asked<Question> = Question extends ToWorker ? Omit<Question, 'v' | 'id'> : never;

/** Registers the worker. Call it after the first screen, because its download competes with the page's. */
export async function startWorker(): Promise<void> {
  if (registrationStore.get() !== NOT_STARTED) return;
  registrationStore.set(PENDING);
  settingsStore.subscribe(() => {
    if (!isSwitchedOff() || registrationStore.get() === null) return;
    registrationStore.set(null);
    void disableWorker();
  });
  const stop = onWorkerMessage('STORAGE', () => {
    stop();
    report(new Error('The device has no room for the app’s files.'), { level: 'info' });
  });
  const registration = await register().catch((error: unknown) => {
    report(error, { level: 'info' });
    return null;
  });
  registrationStore.set(registration);
}

/** Resolves once registration has been tried; null if there is no worker. */
export function whenRegistered(): Promise<ServiceWorkerRegistration | null> {
  return whenState(registrationStore, (state) => typeof state === 'object');
}

/** Asks the active worker, or the given one. Null if there is none, or no answer in time. */
export async function ask(
  question: Asked<ToWorker>,
  { to }: { to?: ServiceWorker | null } = {},
): Promise<WorkerState | null> {
  const worker = to === undefined ? await workerAtWork() : to;
  if (worker === null) return null;
  const id = crypto.randomUUID();
  return new Promise((resolve) => {
    const stop = listen((message) => {
      if (message.type === 'STATE' && message.re === id) end(message);
    });
    const limit = setTimeout(() => end(null), ANSWER_WITHIN);
    function end(answer: WorkerState | null): void {
      clearTimeout(limit);
      stop();
      resolve(answer);
    }
    worker.postMessage({ v: 1, id, ...question } as ToWorker);
  });
}

/** Listens to a worker's broadcasts. Returns a function that stops it. */
export function onWorkerMessage<Type extends News['type']>(
  type: Type,
  listener: (message: Extract<News, { type: Type }>) => void,
): () => void {
  return listen((message) => {
    if (message.type === type) listener(message as Extract<News, { type: Type }>);
  });
}

/** Unregisters the worker and deletes its caches. The page stays usable. */
export async function disableWorker(): Promise<void> {
  if (!isSupported()) return;
  try {
    for (const name of await caches.keys()) await caches.delete(name);
    for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
  } catch (error) {
    report(error, { level: 'info' });
  }
}

const NOT_STARTED = 'not-started';
const PENDING = 'pending';

/** Null if there is no worker. */
const registrationStore = createStore<ServiceWorkerRegistration | typeof NOT_STARTED | typeof PENDING | null>(
  NOT_STARTED,
);

async function register(): Promise<ServiceWorkerRegistration | null> {
  if (!isSupported() || pageConfig().version === 'development') return null;
  if (isSwitchedOff()) {
    await disableWorker();
    return null;
  }
  const workbox = new Workbox(trustedScript(WORKER_PATH), { scope: '/', updateViaCache: 'none' });
  return (await workbox.register({ immediate: true })) ?? null;
}

/** On a first visit the active worker does not control the page yet. */
async function workerAtWork(): Promise<ServiceWorker | null> {
  if (!isSupported()) return null;
  const { serviceWorker } = navigator;
  return serviceWorker.controller ?? (await serviceWorker.getRegistration())?.active ?? null;
}

function listen(listener: (message: FromWorker) => void): () => void {
  if (!isSupported()) return () => undefined;
  const hear = ({ data }: MessageEvent<unknown>) => {
    const message = findFromWorker(data);
    if (message) listener(message);
  };
  navigator.serviceWorker.addEventListener('message', hear);
  navigator.serviceWorker.startMessages();
  return () => navigator.serviceWorker.removeEventListener('message', hear);
}

function isSwitchedOff(): boolean {
  return currentSettings().sw?.disabled === true;
}

/** Missing in insecure contexts and some embedded views. */
function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'caches' in window;
}
