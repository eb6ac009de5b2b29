import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { composeWorker, UNREGISTERING_WORKER, workerHeaders } from '#server/pages/front-end.ts';

const CONFIG = {
  build: 'abc123',
  host: 'portal',
  settings_url: 'https://files.example/public/settings/web.json',
} as const;

test('The worker script starts with its configuration', () => {
  const self: { workerConfig?: unknown; read?: unknown } = {};
  runInNewContext(composeWorker('self.read = self.workerConfig.build;', CONFIG), { self });
  expect(self).toEqual({ workerConfig: CONFIG, read: 'abc123' });
});

test('the worker may connect only to its host and to the settings', () => {
  expect(workerHeaders(CONFIG)['Content-Security-Policy']).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self' https://files.example",
  );
});

test('an unregistering worker activates at once, deletes every cache, and unregisters before it reports', async () => {
  const kept = ['ferry-files-1', 'ferry-settings'];
  const done: string[] = [];
  const listeners: Record<string, (event: { waitUntil(work: Promise<void>): void }) => void> = {};
  const waits: Promise<void>[] = [];
  runInNewContext(UNREGISTERING_WORKER, {
    caches: {
      keys: async () => [...kept],
      delete: async (name: string) => done.push(`deleted ${name}`),
    },
    self: {
      addEventListener: (type: string, listener: (typeof listeners)[string]) => {
        listeners[type] = listener;
      },
      skipWaiting: () => done.push('follows'),
      registration: { unregister: async () => done.push('unregistered') },
    },
  });
  const event = { waitUntil: (work: Promise<void>) => void waits.push(work) };
  listeners.install?.(event);
  listeners.activate?.(event);
  await Promise.all(waits);
  expect(done).toEqual(['follows', 'deleted ferry-files-1', 'deleted ferry-settings', 'unregistered']);
  expect(listeners.fetch).toBeUndefined();
});

test('The worker is on unless SERVICE_WORKER switches it off', () => {
  expect(readConfig({}).hasWorker).toBe(true);
  expect(readConfig({ SERVICE_WORKER: 'off' }).hasWorker).toBe(false);
  expect(() => readConfig({ SERVICE_WORKER: 'maybe' })).toThrow('SERVICE_WORKER');
});
