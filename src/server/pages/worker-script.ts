import type { WorkerConfig } from '#contract/worker-messages.ts';

/** Prepends the server's configuration to the built worker. Every process writes the same bytes. */
export function composeWorker(script: string, config: WorkerConfig): string {
  return `self.workerConfig=${JSON.stringify(config)};\n${script}`;
}

/** A worker obeys the policy of its own script: it connects to our origin and the settings. */
export function workerHeaders({ settings_url }: Pick<WorkerConfig, 'settings_url'>): Record<string, string> {
  const { origin } = new URL(settings_url);
  return {
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; connect-src 'self' ${origin}`,
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Replaces the worker when it is disabled, and in development: activates at once, deletes all caches, and unregisters
 * itself. Tabs keep running without a worker.
 */
export const UNREGISTERING_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
`;
