import { QueryClient } from '@tanstack/react-query';
import type { UseStore } from 'idb-keyval';
import { afterEach, expect, test, vi } from 'vitest';
import { type AccountData, openAccountData } from '#web/platform/saved-data/account-data.ts';
import { handOver } from '#web/platform/saved-data/early-read.ts';
import { encryptorFromSecret, installSalt } from '#web/platform/saved-data/encryption.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { PERSISTED_FOR_ACCOUNT } from '#web/platform/saved-data/saved-query.ts';
import { clearSession, renewToken, startSession } from '#web/platform/session/session.ts';
import { openPage, TOKEN } from '../page.ts';
import { memoryStore } from './memory-store.ts';

const ANA = TOKEN;
const BEA = 'ses_00000000000000000000000002';
const KEY = ['customer-orders', 'upcoming', ''];
const HANGING = (() => new Promise(() => undefined)) as UseStore;

const pages: AccountData[] = [];
afterEach(() => closePages());

test('an unfinished deletion is retried without deleting the next customer’s data', async () => {
  openPage();
  const data = new Map<string, unknown>();
  startSession(ANA);
  const page = openApp(data, HANGING);
  await read(page.client, 'orders of Ana');
  await vi.waitFor(() => expect(data.size).toBe(1));
  const leftover = new Map(data);
  await clearSession();
  startSession(BEA);
  await read(page.client, 'orders of Bea');
  await vi.waitFor(() => expect(data.size).toBe(1));
  expect(isWipeDue()).toBe(true);

  const withFailingStorage = await restart(data, HANGING);
  expect(withFailingStorage.client.getQueryData(KEY)).toBe('orders of Bea');
  expect(isWipeDue()).toBe(true);

  const paint = new Map(leftover);
  const withWorkingStorage = await restart(data, memoryStore(paint).use);
  expect(withWorkingStorage.client.getQueryData(KEY)).toBe('orders of Bea');
  await vi.waitFor(() => expect(isWipeDue()).toBe(false));
  expect(paint.size).toBe(0);
});

test('the data of a signed-out session is deleted even if its token comes back', async () => {
  const leftover = new Map(await saveOrdersOfAna());
  await clearSession();
  localStorage.setItem('wipe', 'true');
  renewToken(ANA);
  const next = await restart(leftover, memoryStore().use);
  expect(next.client.getQueryData(KEY)).toBeUndefined();
  expect(leftover.size).toBe(0);
});

test('records that were read before the app ran are restored without opening the database', async () => {
  const data = await saveOrdersOfAna();
  await readEarly(ANA, data);
  const { client } = await restart(new Map(), memoryStore().use);
  expect(client.getQueryData(KEY)).toBe('orders of Ana');
});

test('records that were read for another customer are not restored', async () => {
  const data = new Map(await saveOrdersOfAna());
  await clearSession();
  startSession(BEA);
  await readEarly(ANA, data);
  const { client } = await restart(new Map(), memoryStore().use);
  expect(client.getQueryData(KEY)).toBeUndefined();
});

test('records that were read before the app ran are used once', async () => {
  const data = await saveOrdersOfAna();
  await readEarly(ANA, data);
  await restart(new Map(), memoryStore().use);
  const { client } = await restart(new Map(), memoryStore().use);
  expect(client.getQueryData(KEY)).toBeUndefined();
});

async function saveOrdersOfAna(): Promise<Map<string, unknown>> {
  openPage();
  const data = new Map<string, unknown>();
  startSession(ANA);
  const page = openApp(data, memoryStore().use);
  await read(page.client, 'orders of Ana');
  await vi.waitFor(() => expect(data.size).toBe(1));
  return data;
}

/** As the first-paint script does. */
async function readEarly(secret: string, data: Map<string, unknown>): Promise<void> {
  const records = openRecords('data', { openStore: () => memoryStore(data).use });
  const encryptor = await encryptorFromSecret(secret, installSalt());
  handOver({ secret, encryptor, records, stored: records.all() });
}

function openApp(data: Map<string, unknown>, paint: UseStore) {
  const client = new QueryClient();
  const saved = openAccountData(client, {
    data: openRecords('data', { openStore: () => memoryStore(data).use }),
    paint: openRecords('paint', { openStore: () => paint, deadline: 5 }),
    ended: openRecords('ended', { openStore: () => memoryStore().use }),
  });
  pages.push(saved);
  return { client, saved };
}

/** Closes the page and starts the app again in the same browser. */
async function restart(data: Map<string, unknown>, paint: UseStore) {
  closePages();
  const page = openApp(data, paint);
  await page.saved.restored;
  return page;
}

function closePages(): void {
  for (const page of pages.splice(0)) page.stop();
}

function read(client: QueryClient, value: string): Promise<void> {
  return client.prefetchQuery({ ...PERSISTED_FOR_ACCOUNT, queryKey: KEY, queryFn: () => value });
}

function isWipeDue(): boolean {
  return localStorage.getItem('wipe') !== null;
}
