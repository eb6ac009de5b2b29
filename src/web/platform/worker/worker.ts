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
 * The page's side of the service worker. Everything here is a help and never a need: without a worker (refused,
 * switched off, a reload past it) questions have no answer, nothing is heard, and the app works.
 */

type News = Exclude<FromWorker, { type: 'STATE' }>;
type Asked<Question> = Question extends ToWorker ? Omit<Question, 'v' | 'id'> : never;

/** Asks for the worker once the first screen is shown; its download must not stand in front of anything. */
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

/** The registration once it was tried for, which a first visit's network decides; null: there is no worker to be had. */
export function whenRegistered(): Promise<ServiceWorkerRegistration | null> {
  return whenState(registrationStore, (state) => typeof state === 'object');
}

/** Asks the worker at work, or the one named; null when there is none, or no answer in time. */
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

/** Hears what workers say to all tabs; the answered function stops it. */
export function onWorkerMessage<Type extends News['type']>(
  type: Type,
  listener: (message: Extract<News, { type: Type }>) => void,
): () => void {
  return listen((message) => {
    if (message.type === type) listener(message as Extract<News, { type: Type }>);
  });
}

/** Takes the worker and all it kept away; the page stays as it is and goes on without. */
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

/** Null once it is known that there is no worker. */
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

/** Also asked for on a first visit, whose page the worker does not answer for yet. */
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

/** Absent on insecure origins and in some embedded views. */
function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'caches' in window;
}
