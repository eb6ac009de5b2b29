import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { keepPictures } from '#web/platform/saved-data/keep-pictures.ts';
import { PICTURE_SCHEMA } from '#web/platform/saved-data/picture.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { sealOfSecret } from '#web/platform/saved-data/sealing.ts';
import { openPage, TOKEN } from '../page.ts';
import { memoryStore } from './memory-store.ts';

test('of the pictures that are there, only those stay that this release can show to this customer', async () => {
  openPage();
  const seal = await sealOfSecret(TOKEN, new Uint8Array(16));
  const sealed = { iv: new Uint8Array(12), box: new ArrayBuffer(1) };
  const mine = { schema: PICTURE_SCHEMA, tag: seal.tag, at: Date.now(), until: null, ...sealed };
  const data = new Map<string, unknown>([
    ['mine', mine],
    ['another customer’s', { ...mine, tag: 'another' }],
    ['a newer release’s', { ...mine, schema: PICTURE_SCHEMA + 1 }],
    ['last season’s', { ...mine, at: 0 }],
    ['broken', 'nonsense'],
  ]);
  const records = openRecords('test', { openStore: () => memoryStore(data).use });
  const stop = keepPictures(new QueryClient(), { records, mayWrite: () => true, findSeal: async () => seal });
  await vi.waitFor(() => expect([...data.keys()]).toEqual(['mine']));
  stop();
});
