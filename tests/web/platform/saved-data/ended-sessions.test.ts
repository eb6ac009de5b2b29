import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { openAccountData } from '#web/platform/saved-data/account-data.ts';
import { isMarkedEnded } from '#web/platform/saved-data/ended-sessions.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { clearSession, startSession } from '#web/platform/session/session.ts';
import { openPage, TOKEN } from '../page.ts';
import { memoryStore } from './memory-store.ts';

const OTHER = 'ses_00000000000000000000000002';

let stop: () => void = () => undefined;
afterEach(() => stop());

test('a sign-out marks the session as ended and deletes its data from the device', async () => {
  openPage();
  startSession(TOKEN);
  const { stores, data } = openStores();
  ({ stop } = openAccountData(new QueryClient(), stores));
  data.set('a record', 'of the account');
  expect(await isMarkedEnded(stores.ended, TOKEN)).toBe(false);
  await clearSession();
  expect(await isMarkedEnded(stores.ended, TOKEN)).toBe(true);
  expect(data.size).toBe(0);
  expect(localStorage.getItem('wipe')).toBeNull();
});

test('each ended session is marked separately, and no token is stored', async () => {
  openPage();
  startSession(TOKEN);
  const { stores, marks } = openStores();
  ({ stop } = openAccountData(new QueryClient(), stores));
  await clearSession();
  startSession(OTHER);
  expect(await isMarkedEnded(stores.ended, OTHER)).toBe(false);
  await clearSession();
  for (const token of [TOKEN, OTHER]) expect(await isMarkedEnded(stores.ended, token)).toBe(true);
  expect(JSON.stringify([...marks])).not.toMatch(/ses_/);
});

test('a sign-out completes when the storage fails, and the deletion stays pending', async () => {
  openPage();
  startSession(TOKEN);
  const fails = openRecords('fails', { openStore: () => () => Promise.reject(new Error('Disk I/O')) });
  ({ stop } = openAccountData(new QueryClient(), { ...openStores().stores, ended: fails }));
  await clearSession();
  expect(localStorage.getItem('wipe')).toBe('true');
  expect(await isMarkedEnded(fails, TOKEN)).toBe(false);
});

function openStores() {
  const data = new Map<string, unknown>();
  const marks = new Map<string, unknown>();
  const recordsOf = (values?: Map<string, unknown>) =>
    openRecords('test', { openStore: () => memoryStore(values).use });
  return { stores: { data: recordsOf(data), paint: recordsOf(), ended: recordsOf(marks) }, data, marks };
}
