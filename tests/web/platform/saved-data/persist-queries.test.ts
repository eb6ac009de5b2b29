import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { setReporter } from '#web/platform/reporting/reporting.ts';
import { encryptorFromSecret } from '#web/platform/saved-data/encryption.ts';
import {
  type PersistedQueries,
  type PersistQueriesOptions,
  persistQueries,
} from '#web/platform/saved-data/persist-queries.ts';
import { openRecords, type SavedRecord } from '#web/platform/saved-data/records.ts';
import { PERSISTED_FOR_ACCOUNT } from '#web/platform/saved-data/saved-query.ts';
import { buildPageConfig } from '../page.ts';
import { memoryStore } from './memory-store.ts';

const KEY = ['customer-orders', 'upcoming', ''];
const DAY = 86_400_000;
const SALT = new Uint8Array(16);

const opened: { saved: PersistedQueries; client: QueryClient }[] = [];

afterEach(() => {
  for (const { saved, client } of opened.splice(0)) {
    saved.stop();
    client.clear();
  }
  setReporter(null);
  vi.useRealTimers();
});

test('the data of a query is restored on the next page and marked for a refetch', async () => {
  const { data } = await saveOnce('orders');
  const { client } = await openPage(data);
  expect(client.getQueryData(KEY)).toBe('orders');
  expect(client.getQueryState(KEY)).toMatchObject({
    isInvalidated: true,
    status: 'success',
    dataUpdateCount: 0,
  });
});

test('a query that was loaded before the page began to save is saved', async () => {
  const client = new QueryClient();
  await read(client, 'orders');
  const { data } = await openPage(undefined, {}, client);
  await vi.waitFor(() => expect(data.size).toBe(1));
});

test('only queries marked as persistent are saved', async () => {
  const { client, saved, data } = await openPage();
  await client.prefetchQuery({ queryKey: ['payment-cards'], queryFn: () => 'a card' });
  await saved.flush();
  expect(data.size).toBe(0);
});

test('a later failed read does not change the saved data', async () => {
  const { client, saved, data } = await openPage();
  await read(client, 'orders');
  await client
    .fetchQuery({
      ...PERSISTED_FOR_ACCOUNT,
      queryKey: KEY,
      queryFn: () => Promise.reject(new Error('500')),
      retry: false,
    })
    .catch(() => undefined);
  expect(client.getQueryState(KEY)?.status).toBe('error');
  await saved.flush();
  const next = await openPage(data);
  expect(next.client.getQueryData(KEY)).toBe('orders');
});

test('a record is deleted when the API responds with not_found, but not after any other 404', async () => {
  const { client, saved, data } = await openPage();
  await read(client, 'a card shared with me');
  await saved.flush();
  const failWith = (error: ApiError) =>
    client
      .fetchQuery({
        ...PERSISTED_FOR_ACCOUNT,
        queryKey: KEY,
        queryFn: () => Promise.reject(error),
        retry: false,
      })
      .catch(() => undefined);
  await failWith(new ApiError(404, [{ code: 'unknown_error', message: 'Welcome aboard' }]));
  await saved.flush();
  expect(data.size).toBe(1);
  await failWith(new ApiError(404, [{ code: 'not_found', message: 'No such card' }]));
  await saved.flush();
  expect(data.size).toBe(0);
  expect((await openPage(data)).client.getQueryData(KEY)).toBeUndefined();
});

test('data that the API has said to be gone is not restored', async () => {
  const { data } = await saveOnce('a canceled order');
  const client = new QueryClient();
  const error = new ApiError(404, [{ code: 'not_found', message: 'No such order' }]);
  const opening = openPage(data, {}, client);
  await client.prefetchQuery({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: KEY,
    queryFn: () => Promise.reject(error),
    retry: false,
  });
  await opening;
  expect(client.getQueryState(KEY)).toMatchObject({ data: undefined, error });
});

test('a pending query does not prevent saving the others', async () => {
  const { client, saved, data } = await openPage();
  void client.prefetchQuery({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: ['customer-order', 'X'],
    queryFn: () => new Promise(() => undefined),
  });
  await read(client, 'orders');
  await saved.flush();
  expect(data.size).toBe(1);
});

test('another customer’s records and records older than thirty days are deleted without being restored', async () => {
  const { data } = await saveOnce('orders of Ana');
  const other = await openPage(data, { token: 'token of Bea' });
  expect(other.client.getQueryData(KEY)).toBeUndefined();
  await vi.waitFor(() => expect(data.size).toBe(0));
  const old = await saveOnce('old orders');
  vi.setSystemTime(Date.now() + 31 * DAY);
  const later = await openPage(old.data);
  expect(later.client.getQueryData(KEY)).toBeUndefined();
  await vi.waitFor(() => expect(old.data.size).toBe(0));
});

test('only an invalid record is deleted, and the others are restored', async () => {
  const { data } = await saveOnce('orders');
  data.set('broken', { schema: 1 });
  const { client } = await openPage(data);
  expect(client.getQueryData(KEY)).toBe('orders');
  await vi.waitFor(() => expect(data.has('broken')).toBe(false));
});

test.each([
  ['never ends', () => new Promise<void>(() => undefined)],
  ['fails', () => Promise.reject(new Error('Disk I/O'))],
])('valid records are restored even if deleting the invalid ones %s', async (_, remove) => {
  const { data } = await saveOnce('orders');
  data.set('broken', { schema: 1 });
  const records = { ...openRecords('test', { openStore: () => memoryStore(data).use }), remove };
  const { client } = await openPage(data, { records });
  expect(client.getQueryData(KEY)).toBe('orders');
});

test.each([
  ['older', -1],
  ['newer', 1],
])('only a record of an %s version is deleted, and the others are restored', async (_, difference) => {
  const { client, saved, data } = await openPage();
  await read(client, 'orders');
  await saved.flush();
  for (const [name, record] of data) {
    const { schema, ...rest } = record as SavedRecord;
    data.set(name, { ...rest, schema: schema + difference });
  }
  await client.prefetchQuery({
    ...PERSISTED_FOR_ACCOUNT,
    queryKey: ['trip-cards', 'list'],
    queryFn: () => 'cards',
  });
  await saved.flush();
  const next = await openPage(data);
  expect(next.client.getQueryData(KEY)).toBeUndefined();
  expect(next.client.getQueryData(['trip-cards', 'list'])).toBe('cards');
  await vi.waitFor(() => expect(data.size).toBe(1));
});

test('a record of a query that this release does not save is deleted', async () => {
  const { tag, nameRecord, encrypt } = await encryptorFromSecret('token of Ana', SALT);
  const name = await nameRecord('a query of another release');
  const query = {
    queryKey: ['unversioned'],
    queryHash: '["unversioned"]',
    state: { data: 'data', dataUpdatedAt: 1 },
  };
  const record = { schema: 1, tag, at: Date.now(), until: null, ...(await encrypt(name, query)) };
  const { client, data } = await openPage(new Map([[name, record]]));
  expect(client.getQueryData(['unversioned'])).toBeUndefined();
  await vi.waitFor(() => expect(data.size).toBe(0));
});

test('a query without a version is not saved', async () => {
  const { client, saved, data } = await openPage();
  await client.prefetchQuery({ ...PERSISTED_FOR_ACCOUNT, queryKey: ['unversioned'], queryFn: () => 'data' });
  await saved.flush();
  expect(data.size).toBe(0);
});

test('data saved with a time in the future counts as the oldest', async () => {
  const { data } = await saveOnce('orders', { at: Date.now() + 7 * DAY });
  const { client } = await openPage(data);
  expect(client.getQueryData(KEY)).toBe('orders');
  expect(client.getQueryState(KEY)?.dataUpdatedAt).toBe(1);
});

test('saved data does not overwrite what the page has already loaded', async () => {
  const { data } = await saveOnce('old', { at: Date.now() - DAY });
  const client = new QueryClient();
  await read(client, 'new');
  await openPage(data, {}, client);
  expect(client.getQueryData(KEY)).toBe('new');
});

test('nothing is restored or written after a sign-out', async () => {
  const { data } = await saveOnce('orders');
  const { client, saved } = await openPage(data, { mayWrite: () => false });
  expect(client.getQueryData(KEY)).toBeUndefined();
  data.clear();
  await read(client, 'orders');
  await saved.flush();
  expect(data.size).toBe(0);
});

test('only the newest pages of a long history are saved', async () => {
  const { client, saved, data } = await openPage();
  const pages = Array.from({ length: 40 }, (_, index) => [index]);
  client.setQueryDefaults(KEY, PERSISTED_FOR_ACCOUNT);
  client.setQueryData(KEY, { pages, pageParams: pages.map((_, index) => index) });
  await saved.flush();
  const next = await openPage(data);
  expect(next.client.getQueryData<{ pages: unknown[] }>(KEY)?.pages).toHaveLength(3);
});

test('data saved by another tab is loaded without a request', async () => {
  const names: string[] = [];
  const { client, saved, data } = await openPage(undefined, { onSaved: (name) => names.push(name) });
  const other = await openPage(data);
  await read(client, 'new balance');
  await saved.flush();
  for (const name of names) await other.saved.take(name);
  expect(other.client.getQueryData(KEY)).toBe('new balance');
});

test('a failing storage is reported once and prevents only the saving', async () => {
  const reports: string[] = [];
  setReporter(({ error }) => reports.push(error.message));
  const client = new QueryClient();
  const saved = persistQueries(client, {
    ...(await optionsOf({})),
    records: openRecords('test', { openStore: () => () => Promise.reject(new Error('Disk I/O')) }),
  });
  opened.push({ client, saved });
  await saved.restored;
  await read(client, 'orders');
  await saved.flush();
  await saved.flush();
  expect(client.getQueryData(KEY)).toBe('orders');
  expect(reports).toEqual(['Disk I/O']);
});

test('a full device deletes the older half of the records to save new data', async () => {
  const { client, saved, data } = await openPage();
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    await client.prefetchQuery({ ...PERSISTED_FOR_ACCOUNT, queryKey: ['order', key], queryFn: () => key });
    client.setQueryData(['order', key], key, { updatedAt: Date.now() - 10_000 + index });
  }
  await saved.flush();
  expect(data.size).toBe(4);
  data.set = (...record) => {
    if (data.size >= 4) throw new DOMException('full', 'QuotaExceededError');
    return Map.prototype.set.apply(data, record);
  };
  await read(client, 'new');
  await saved.flush();
  const next = await openPage(data);
  expect(next.client.getQueryData(KEY)).toBe('new');
  expect(['a', 'b', 'c', 'd'].map((key) => next.client.getQueryData(['order', key]))).toEqual([
    undefined,
    undefined,
    'c',
    'd',
  ]);
});

test('a device that stays full is reported once and prevents only the saving', async () => {
  const reports: string[] = [];
  setReporter(({ error }) => reports.push(error.name));
  const { data } = await saveOnce('orders');
  const records = openRecords('test', { openStore: () => memoryStore(data).use });
  const client = new QueryClient();
  const saved = persistQueries(client, {
    ...(await optionsOf({})),
    records: { ...records, putNewer: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) },
  });
  opened.push({ client, saved });
  await saved.restored;
  for (const age of [1, 2]) {
    client.setQueryData(KEY, `newer orders ${age}`, { updatedAt: Date.now() + age });
    await saved.flush();
  }
  expect(client.getQueryData(KEY)).toBe('newer orders 2');
  expect(reports).toEqual(['QuotaExceededError']);
});

test('a new release restores what the previous release saved', async () => {
  providePageConfig(buildPageConfig({ version: '1' }));
  const { data } = await saveOnce('orders');
  providePageConfig(buildPageConfig({ version: '2' }));
  const { client } = await openPage(data);
  expect(client.getQueryData(KEY)).toBe('orders');
});

type PageOptions = Partial<PersistQueriesOptions> & { token?: string };

async function openPage(data?: Map<string, unknown>, options: PageOptions = {}, client = new QueryClient()) {
  const store = memoryStore(data);
  const records = openRecords('test', { openStore: () => store.use });
  const saved = persistQueries(client, { records, ...(await optionsOf(options)) });
  opened.push({ client, saved });
  await saved.restored;
  return { client, saved, data: store.data };
}

async function optionsOf({ token = 'token of Ana', ...options }: PageOptions) {
  const encryptor = await encryptorFromSecret(token, SALT);
  return {
    scope: 'account' as const,
    findEncryptor: async () => encryptor,
    mayWrite: () => true,
    ...options,
  };
}

async function saveOnce(value: string, { at }: { at?: number } = {}) {
  const page = await openPage();
  await read(page.client, value);
  if (at !== undefined) page.client.setQueryData(KEY, value, { updatedAt: at });
  await page.saved.flush();
  page.saved.stop();
  return page;
}

function read(client: QueryClient, value: string): Promise<void> {
  return client.prefetchQuery({ ...PERSISTED_FOR_ACCOUNT, queryKey: KEY, queryFn: () => value });
}
