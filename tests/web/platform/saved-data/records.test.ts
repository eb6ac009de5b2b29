// @vitest-environment node
import type { UseStore } from 'idb-keyval';
import { expect, test } from 'vitest';
import { openRecords, type SavedRecord, StorageHangs } from '#web/platform/saved-data/records.ts';
import { memoryStore } from './memory-store.ts';

const NOW = 1_000_000;

test('the record read last is kept, whichever tab saves last', async () => {
  const { records, data } = openInMemory();
  await records.putNewer('a', recordOf(500), always);
  await records.putNewer('a', recordOf(400), always);
  expect(data.get('a')).toMatchObject({ at: 500 });
  await records.putNewer('a', recordOf(600), always);
  expect(data.get('a')).toMatchObject({ at: 600 });
});

test('a record with a future time, an older schema or an invalid form is overwritten', async () => {
  const { records, data } = openInMemory();
  data.set('future', recordOf(NOW + 7 * 86_400_000));
  data.set('form', { ...recordOf(900), schema: 0 });
  data.set('broken', 'nonsense');
  for (const name of ['future', 'form', 'broken']) {
    await records.putNewer(name, recordOf(700), always);
    expect(data.get(name), name).toMatchObject({ at: 700, schema: 1 });
  }
});

test('a tab of an older release never overwrites a record of a newer release', async () => {
  const { records, data } = openInMemory();
  data.set('earlier', { ...recordOf(500), schema: 2 });
  data.set('future', { ...recordOf(NOW + 7 * 86_400_000), schema: 2 });
  for (const name of ['earlier', 'future']) {
    await records.putNewer(name, recordOf(700), always);
    expect(data.get(name), name).toMatchObject({ schema: 2 });
  }
});

test('a write started before a sign-out writes nothing after it', async () => {
  const { records, data } = openInMemory();
  await records.putNewer('a', recordOf(500), () => false);
  expect(data.size).toBe(0);
});

test('addOnce stores the first value and returns it to later calls', async () => {
  const { records } = openInMemory();
  expect(await records.addOnce('keys', 'first')).toBe('first');
  expect(await records.addOnce('keys', 'second')).toBe('first');
});

test('writes to a full device are rejected with QuotaExceededError', async () => {
  const { records, data } = openInMemory();
  data.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const full = { name: 'QuotaExceededError' };
  await expect(records.putNewer('a', recordOf(500), always)).rejects.toMatchObject(full);
  await expect(records.addOnce('keys', 'first')).rejects.toMatchObject(full);
});

test('a storage that does not respond before the deadline is not used again', async () => {
  let calls = 0;
  const hanging = (() => {
    calls += 1;
    return new Promise(() => undefined);
  }) as UseStore;
  const records = openRecords('test', { openStore: () => hanging, deadline: 5 });
  await expect(records.all()).rejects.toThrow(StorageHangs);
  await expect(records.clear()).rejects.toThrow(StorageHangs);
  expect(calls).toBe(1);
});

test('a connection closed by the browser is reopened once', async () => {
  const { use, data } = memoryStore();
  let opened = 0;
  const closed = (() => Promise.reject(new DOMException('closing', 'InvalidStateError'))) as UseStore;
  const openStore = () => {
    opened += 1;
    return opened === 1 ? closed : use;
  };
  const records = openRecords('test', { openStore });
  await records.putNewer('a', recordOf(1), always);
  expect(data.has('a')).toBe(true);
  expect(opened).toBe(2);
});

test('an unavailable storage rejects the promise instead of throwing', async () => {
  const records = openRecords('test', {
    openStore: () => {
      throw new DOMException('Denied', 'SecurityError');
    },
  });
  await expect(records.all()).rejects.toThrow('Denied');
});

function openInMemory() {
  const { use, data } = memoryStore();
  return { records: openRecords('test', { openStore: () => use, now: () => NOW }), data };
}

function recordOf(at: number): SavedRecord {
  return { schema: 1, tag: 'tag', at, until: null, iv: new Uint8Array(12), ciphertext: new ArrayBuffer(1) };
}

function always(): boolean {
  return true;
}
