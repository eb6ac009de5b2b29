import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { encryptorFromSecret } from '#web/platform/saved-data/encryption.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { saveSnapshots } from '#web/platform/saved-data/save-snapshots.ts';
import { SNAPSHOT_SCHEMA } from '#web/platform/saved-data/screen-snapshot.ts';
import { openPage, PORTAL, TOKEN } from '../page.ts';
import { memoryStore } from './memory-store.ts';

test('only the snapshots that this release can show to this customer are kept', async () => {
  openPage();
  const encryptor = await encryptorFromSecret(TOKEN, new Uint8Array(16));
  const encrypted = { iv: new Uint8Array(12), ciphertext: new ArrayBuffer(1) };
  const mine = { schema: SNAPSHOT_SCHEMA, tag: encryptor.tag, at: Date.now(), until: null, ...encrypted };
  const data = new Map<string, unknown>([
    ['mine', mine],
    ['another customer’s', { ...mine, tag: 'another' }],
    ['a newer release’s', { ...mine, schema: SNAPSHOT_SCHEMA + 1 }],
    ['last season’s', { ...mine, at: 0 }],
    ['broken', 'nonsense'],
  ]);
  const records = openRecords('test', { openStore: () => memoryStore(data).use });
  const stop = saveSnapshots(new QueryClient(), {
    records,
    mayWrite: () => true,
    findEncryptor: async () => encryptor,
  });
  await vi.waitFor(() => expect([...data.keys()]).toEqual(['mine']));
  stop();
});

test('a snapshot leaves out what is far below the visible part of the screen', async () => {
  openPage(`${PORTAL}/trip_cards`);
  const root = document.createElement('div');
  root.id = 'root';
  root.innerHTML = '<div><header></header><main><ul><li>near</li><li>far</li></ul></main></div>';
  document.body.append(root);
  const tops = { near: window.innerHeight, far: 2 * window.innerHeight };
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, tops[this.textContent as keyof typeof tops] ?? 0, 1, 1);
  });
  const encryptor = await encryptorFromSecret(TOKEN, new Uint8Array(16));
  const saved: unknown[] = [];
  const client = new QueryClient();
  const stop = saveSnapshots(client, {
    records: openRecords('test', { openStore: () => memoryStore(new Map()).use }),
    mayWrite: () => true,
    findEncryptor: async () => ({
      ...encryptor,
      encrypt: (name, value) => {
        saved.push(value);
        return encryptor.encrypt(name, value);
      },
    }),
  });
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(saved).toHaveLength(1));
  expect(saved).toEqual([
    { styles: '', html: '<div><header></header><main><ul><li>near</li></ul></main></div>' },
  ]);
  stop();
  root.remove();
  vi.restoreAllMocks();
});
