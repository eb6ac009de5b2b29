import type { WorkerConfig } from '#contract/worker-messages.ts';
import { answerMessage } from './answers.ts';
import { activate, install } from './generations.ts';
import { strategies } from './strategies.ts';
import type { Surroundings } from './surroundings.ts';
import { type BuiltFile, findKind } from './what-is-kept.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Written in front of this script by the server. */
  workerConfig: WorkerConfig;
  /** Written in by the build. */
  __WB_MANIFEST: BuiltFile[];
};

const env: Surroundings = {
  config: self.workerConfig,
  origin: self.location.origin,
  built: self.__WB_MANIFEST,
  caches: self.caches,
  fetch: (request, init) => self.fetch(request, init),
  now: () => Date.now(),
  tabs: () => self.clients.matchAll({ includeUncontrolled: true, type: 'window' }),
  takeOver: () => self.skipWaiting(),
};

self.addEventListener('install', (event) => event.waitUntil(install(env)));

// Tabs that were opened without this worker go on without it until they are opened anew.
self.addEventListener('activate', (event) => event.waitUntil(activate(env)));

self.addEventListener('fetch', (event) => {
  const kind = findKind(event.request, env);
  if (kind === null) return;
  event.respondWith(strategies[kind](env, event.request, (work) => event.waitUntil(work)));
});

self.addEventListener('message', (event) => {
  const from = event.source instanceof WindowClient ? event.source : null;
  event.waitUntil(answerMessage(env, event.data, from));
});
