import type { WorkerConfig } from '#contract/worker-messages.ts';

/** The built worker with what only the server knows in front of it. Every process writes the same bytes. */
export function composeWorker(script: string, config: WorkerConfig): string {
  return `self.workerConfig=${JSON.stringify(config)};\n${script}`;
}

/** A worker obeys the policy its own script came with, not the page's: it talks to us and to the settings. */
export function workerHeaders({ settings_url }: Pick<WorkerConfig, 'settings_url'>): Record<string, string> {
  const { origin } = new URL(settings_url);
  return {
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; connect-src 'self' ${origin}`,
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * Served in the worker's place when it is switched off, and in development: follows at once whichever worker is
 * at work, takes away all it kept, and ends. Tabs stay as they are and go on without one.
 */
export const RETIRED_WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
`;
