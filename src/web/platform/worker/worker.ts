import { messageSW, Workbox } from 'workbox-window';
import { hostDescriptions } from '#contract/hosts.ts';
import {
  ANSWER_WITHIN,
  type FromWorker,
  findFromWorker,
  findWorkerState,
  PROTOCOL,
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

/** The worker of this host: what the browser knows of it, and the library that watches and messages it. */
export type RegisteredWorker = { registration: ServiceWorkerRegistration; workbox: Workbox };

type Question<Message = ToWorker> = Message extends { v: unknown } ? Omit<Message, 'v'> : never;

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
  const registered = await register().catch((error: unknown) => {
    report(error, { level: 'info' });
    return null;
  });
  registrationStore.set(registered);
}

/** Resolves once registration has been tried; null if there is no worker. */
export function whenRegistered(): Promise<RegisteredWorker | null> {
  return whenState(registrationStore, (state) => typeof state === 'object');
}

/** Asks the active worker, or the given one. Null if there is none, or no answer in time. */
export async function ask(
  question: Question,
  { to }: { to?: ServiceWorker | null } = {},
): Promise<WorkerState | null> {
  const worker = to === undefined ? await workerAtWork() : to;
  if (worker === null) return null;
  const answer = messageSW(worker, { v: PROTOCOL, ...question } as ToWorker);
  const limit = new Promise<null>((resolve) => setTimeout(() => resolve(null), ANSWER_WITHIN));
  return findWorkerState(await Promise.race([answer, limit]));
}

/**
 * Listens to the broadcasts of every worker of this host; workbox-window passes on only those of the worker that this
 * page registered. Returns a function that stops it.
 */
export function onWorkerMessage<Type extends FromWorker['type']>(
  type: Type,
  listener: (message: Extract<FromWorker, { type: Type }>) => void,
): () => void {
  if (!isSupported()) return () => undefined;
  const receive = ({ data }: MessageEvent<unknown>) => {
    const message = findFromWorker(data);
    if (message?.type === type) listener(message as Extract<FromWorker, { type: Type }>);
  };
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', receive);
  serviceWorker.startMessages();
  return () => serviceWorker.removeEventListener('message', receive);
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
const registrationStore = createStore<RegisteredWorker | typeof NOT_STARTED | typeof PENDING | null>(
  NOT_STARTED,
);

async function register(): Promise<RegisteredWorker | null> {
  if (!isSupported() || pageConfig().version === 'development') return null;
  if (isSwitchedOff()) {
    await disableWorker();
    return null;
  }
  const { workerScope } = hostDescriptions[pageConfig().host];
  const workbox = new Workbox(trustedScript(WORKER_PATH), { scope: workerScope, updateViaCache: 'none' });
  const registration = await workbox.register({ immediate: true });
  return registration === undefined ? null : { registration, workbox };
}

/** On a first visit the active worker does not control the page yet. */
async function workerAtWork(): Promise<ServiceWorker | null> {
  if (!isSupported()) return null;
  const { serviceWorker } = navigator;
  return serviceWorker.controller ?? (await serviceWorker.getRegistration())?.active ?? null;
}

function isSwitchedOff(): boolean {
  return currentSettings().sw?.disabled === true;
}

/** Missing in insecure contexts and some embedded views. */
function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'caches' in window;
}
