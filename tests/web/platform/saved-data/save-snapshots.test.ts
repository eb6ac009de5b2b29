import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { encryptorFromSecret } from '#web/platform/saved-data/encryption.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { saveSnapshots } from '#web/platform/saved-data/save-snapshots.ts';
import { SNAPSHOT_SCHEMA } from '#web/platform/saved-data/screen-snapshot.ts';
import { openPage, TOKEN } from '../page.ts';
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
