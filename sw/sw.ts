import type { WorkerConfig } from '#contract/worker-messages.ts';
import { type BuiltFile, findRequestKind } from './cache-rules.ts';
import { handleMessage } from './messages.ts';
import { activate, install } from './precache.ts';
import { moveSubscription, openPush, type SubscriptionChange, showPush } from './push.ts';
import { strategies } from './strategies.ts';
import type { WorkerContext } from './worker-context.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** The server writes it in front of this script. */
  workerConfig: WorkerConfig;
  /** The build inserts it. */
  __WB_MANIFEST: BuiltFile[];
};

const context: WorkerContext = {
  config: self.workerConfig,
  origin: self.location.origin,
  built: self.__WB_MANIFEST,
  caches: self.caches,
  fetch: (request, init) => self.fetch(request, init),
  now: () => Date.now(),
  tabs: () => self.clients.matchAll({ includeUncontrolled: true, type: 'window' }),
  takeOver: () => self.skipWaiting(),
  notify: (title, options) => self.registration.showNotification(title, options),
  open: (address) => self.clients.openWindow(address),
  subscribe: (options) => self.registration.pushManager.subscribe(options),
};

self.addEventListener('install', (event) => event.waitUntil(install(context)));

// Tabs that were opened without this worker do without it until their next navigation.
self.addEventListener('activate', (event) => event.waitUntil(activate(context)));

self.addEventListener('fetch', (event) => {
  const kind = findRequestKind(event.request, context);
  if (kind === null) return;
  event.respondWith(strategies[kind](context, event.request, (work) => event.waitUntil(work)));
});

self.addEventListener('message', (event) => {
  const from = event.source instanceof WindowClient ? event.source : null;
  const handled = handleMessage(context, event.data, from);
  event.waitUntil(handled.then((answer) => event.ports[0]?.postMessage(answer)));
});

self.addEventListener('push', (event) => event.waitUntil(showPush(context, event.data?.json())));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPush(context, event.notification.data));
});

self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(moveSubscription(context, event as SubscriptionChange)),
);
